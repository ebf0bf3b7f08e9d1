#include "solver/problem_io/stored_problem.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/problem_io/fclib_problem.h"
#include "solver/problem_io/hdf5_reader.h"
#include "solver/problem_io/json_problem.h"

namespace talus {
namespace {

constexpr char kTooLarge[] = "must be at most 268435456 bytes";

absl::StatusOr<std::string> EncodeFor(const std::string& path, const ProblemFile& file) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".json") return WriteJsonProblem(file);
  if (extension == ".h5" || extension == ".hdf5") return WriteFclibProblem(file);
  return FieldError("path", FormatValue(path), "must end in .json, .h5 or .hdf5");
}

}  // namespace

absl::StatusOr<ProblemFile> ReadProblem(std::string_view bytes) {
  static_assert(kMaxProblemFileBytes == 268435456);
  if (bytes.size() > kMaxProblemFileBytes) {
    return FieldError("size", FormatValue(uint64_t{bytes.size()}), kTooLarge);
  }
  return HasHdf5Signature(bytes) ? ReadFclibProblem(bytes) : ReadJsonProblem(bytes);
}

absl::StatusOr<ProblemFile> ReadProblemFile(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return FieldError("path", FormatValue(path), "must name a file", absl::StatusCode::kNotFound);
  }
  if (!std::filesystem::is_regular_file(status)) {
    return FieldError("path", FormatValue(path), "must name a regular file");
  }
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error || size > kMaxProblemFileBytes) {
    return FieldError("size", error ? "unknown" : FormatValue(size), kTooLarge);
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) {
    return FieldError("path", FormatValue(path), "must name a file that can be read",
                      absl::StatusCode::kNotFound);
  }
  return ReadProblem(bytes);
}

absl::Status WriteProblemFile(const std::string& path, const ProblemFile& file) {
  TALUS_ASSIGN_OR_RETURN(const std::string bytes, EncodeFor(path, file));
  const std::string partial = path + ".partial";
  {
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) return absl::UnavailableError(absl::StrCat("cannot write ", partial));
  }
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  if (!error) return absl::OkStatus();
  const std::string reason = error.message();
  std::filesystem::remove(partial, error);
  return absl::UnavailableError(absl::StrCat("cannot write ", path, ": ", reason));
}

}  // namespace talus
