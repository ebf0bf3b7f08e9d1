#include "server/security/guarded_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace talus {
namespace {

constexpr off_t kMostBytes = off_t{1} << 20;
// Read by the world, written by the group or the world. Reading by the group is allowed: that is
// how a service of another user than the file's owner gets it.
constexpr mode_t kForbiddenBits = S_IROTH | S_IWOTH | S_IXOTH | S_IWGRP;

class Descriptor {
 public:
  explicit Descriptor(const char* path) : fd_(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

std::string Octal(mode_t mode) {
  std::string digits(4, '0');
  for (int i = 0; i < 3; ++i) digits[3 - i] = static_cast<char>('0' + ((mode >> (3 * i)) & 7));
  return digits;
}

}  // namespace

absl::StatusOr<std::string> ReadGuardedFile(const std::string& option, const std::string& path,
                                            FileAccess access) {
  const auto refuse = [&](const std::string& why) {
    return absl::FailedPreconditionError(option + ' ' + path + ": " + why);
  };
  const Descriptor file(path.c_str());
  if (file.get() < 0) return refuse(std::strerror(errno));
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return refuse(std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return refuse("must be a regular file");
  if (info.st_size > kMostBytes) return refuse("must have at most 1 MiB");
  if (access == FileAccess::kGuarded && (info.st_mode & kForbiddenBits) != 0) {
    return refuse("has mode " + Octal(info.st_mode) +
                  ", must not be readable by others nor writable by its group: chmod 0640");
  }
  std::string bytes;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t got = read(file.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse(std::strerror(errno));
    if (got == 0) return bytes;
    bytes.append(part.data(), static_cast<size_t>(got));
    // It may have grown since it was measured.
    if (static_cast<off_t>(bytes.size()) > kMostBytes) return refuse("must have at most 1 MiB");
  }
}

}  // namespace talus
