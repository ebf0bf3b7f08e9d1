#include "clients/cli/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "clients/cli/pending_output.h"

namespace talus::cli {

client::Error FileError(const std::string& what, const std::string& path, int code) {
  return MakeError(client::Code::kUnknown, what + " " + path + ": " + std::strerror(code));
}

client::Result<OutputFile> OutputFile::Create(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr) return FileError("cannot write", path, errno);
  return OutputFile(path, file);
}

client::Result<client::Done> OutputFile::Write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    return FileError("cannot write", path_, errno);
  }
  return client::Done{};
}

client::Result<client::Done> OutputFile::Close() {
  // EINVAL: a device or a pipe, which no disk is behind.
  if (std::fflush(file_.get()) != 0 || (::fsync(::fileno(file_.get())) != 0 && errno != EINVAL)) {
    return FileError("cannot write", path_, errno);
  }
  file_.reset();
  return client::Done{};
}

client::Result<client::Done> WriteFileAtomically(const std::string& path,
                                                 const std::string& bytes) {
  auto output = PendingOutput::Begin(path, PendingOutput::Kind::kFile, true);
  if (!output) return MakeError(client::Code::kUnknown, output.error().message);
  auto file = OutputFile::Create((*output)->beside());
  if (!file) return file.error();
  auto written = file->Write(bytes);
  if (written) written = file->Close();
  return written ? (*output)->Commit() : written;
}

client::Result<std::string> ReadFile(const std::string& path, size_t most_mib) {
  constexpr size_t kPiece = size_t{1} << 20;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             std::fclose);
  if (file == nullptr) {
    client::Error error = FileError("cannot read", path, errno);
    if (errno == ENOENT) error.code = client::Code::kNotFound;
    return error;
  }
  std::string bytes;
  for (size_t size = 0;;) {
    bytes.resize(size + kPiece);
    size += std::fread(bytes.data() + size, 1, kPiece, file.get());
    if (size > most_mib * kPiece) {
      return MakeError(client::Code::kResourceExhausted,
                       path + " must hold at most " + std::to_string(most_mib) + " MiB");
    }
    if (std::ferror(file.get()) != 0) return FileError("cannot read", path, errno);
    if (size == bytes.size()) continue;
    bytes.resize(size);
    return bytes;
  }
}

}  // namespace talus::cli
