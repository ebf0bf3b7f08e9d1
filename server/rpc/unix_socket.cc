#include "server/rpc/unix_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace talus::rpc {
namespace {

bool IsSocket(const std::string& path) {
  struct stat info {};
  return lstat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode);
}

// Whether somebody accepts connections at `path`. Only a refusal proves that nobody does.
bool IsAnswered(const std::string& path) {
  const sockaddr_un address = UnixSocketName(path);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return true;
  const int result = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const bool refused = result != 0 && errno == ECONNREFUSED;
  close(fd);
  return !refused;
}

}  // namespace

sockaddr_un UnixSocketName(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  return name;
}

absl::Status ClaimSocketPath(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return absl::OkStatus();
    return absl::FailedPreconditionError("cannot look at " + path + ": " + std::strerror(errno));
  }
  if (!S_ISSOCK(info.st_mode)) {
    return absl::FailedPreconditionError(path + " exists and is no socket");
  }
  if (IsAnswered(path)) {
    return absl::AlreadyExistsError("a server is already listening on unix:" + path);
  }
  if (unlink(path.c_str()) != 0) {
    return absl::FailedPreconditionError("cannot replace the stale socket " + path + ": " +
                                         std::strerror(errno));
  }
  return absl::OkStatus();
}

void ReleaseSocketPath(const std::string& path) {
  if (IsSocket(path)) unlink(path.c_str());
}

}  // namespace talus::rpc
