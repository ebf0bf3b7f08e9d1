#include "clients/cli/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace talus::cli {
namespace {

client::Error FileError(const std::string& what, const std::string& path) {
  client::Error error;
  error.code = errno == ENOENT ? client::Code::kNotFound : client::Code::kUnknown;
  error.message = what + " " + path + ": " + std::strerror(errno);
  return error;
}

bool WriteAll(int descriptor, const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<size_t>(written);
  }
  return ::fsync(descriptor) == 0;
}

// The rename itself must reach the disk too.
void SyncFolder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

client::Result<client::Done> WriteFileAtomically(const std::string& path,
                                                 const std::string& bytes) {
  const std::string beside = path + ".tmp";
  const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return FileError("cannot write", beside);
  const bool written = WriteAll(descriptor, bytes);
  const int write_errno = errno;
  ::close(descriptor);
  if (!written) {
    ::unlink(beside.c_str());
    errno = write_errno;
    return FileError("cannot write", beside);
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) return FileError("cannot rename to", path);
  SyncFolder(path);
  return client::Done{};
}

client::Result<std::string> ReadFile(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return FileError("cannot read", path);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (file.bad()) return FileError("cannot read", path);
  return std::move(bytes).str();
}

}  // namespace talus::cli
