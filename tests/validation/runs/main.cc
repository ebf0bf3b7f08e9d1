// Makes one run of a figure and writes its sheet:  talus_figures RUN [name=number...] --out FILE
//
// The file appears whole or not at all, so that a run that was interrupted looks like one that was
// never made.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "tests/validation/runs/runs.h"

namespace talus::validation {
namespace {

constexpr std::pair<std::string_view, Run> kRuns[] = {{"rolling_disk", RunRollingDisk},
                                                      {"sphere_on_plane", RunSphereOnPlane},
                                                      {"gravel_pile", RunGravelPile},
                                                      {"sphere_pile", RunSpherePile},
                                                      {"wheel", RunWheel},
                                                      {"guideway", RunGuideway},
                                                      {"trough_surface", RunTroughSurface}};

absl::StatusOr<Run> FindRun(std::string_view name) {
  std::string known;
  for (const auto& [run_name, run] : kRuns) {
    if (run_name == name) return run;
    known += (known.empty() ? "" : ", ") + std::string(run_name);
  }
  return FieldError("RUN", FormatValue(name), "must be one of " + known);
}

absl::Status WriteWhole(const std::string& text, const std::filesystem::path& path) {
  std::filesystem::path part = path;
  part += ".part";
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(part, path, error);
  if (!file || error) return FieldError("--out", FormatValue(path.string()), "cannot be written");
  return absl::OkStatus();
}

absl::Status Main(std::span<const char* const> arguments) {
  TALUS_ASSIGN_OR_RETURN(const Run run, FindRun(arguments[0]));
  const size_t count = arguments.size();
  TALUS_ASSIGN_OR_RETURN(RunParameters parameters,
                         RunParameters::Decode(arguments.subspan(1, count - 3)));
  WorkerArena workers(1);
  RunSheet sheet;
  TALUS_RETURN_IF_ERROR(run(parameters, workers, sheet));
  return WriteWhole(sheet.ToJson(arguments[0], parameters), arguments[count - 1]);
}

}  // namespace
}  // namespace talus::validation

int main(int argc, char** argv) {
  if (argc < 4 || std::string_view(argv[argc - 2]) != "--out") {
    std::fprintf(stderr, "usage: %s RUN [name=number...] --out FILE\n", argv[0]);
    return 2;
  }
  const absl::Status status = talus::validation::Main({argv + 1, static_cast<size_t>(argc - 1)});
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s: %s\n", argv[0], std::string(status.message()).c_str());
  return 2;
}
