#include "server/storage/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "server/session/error.h"

namespace talus {
namespace {

// An open file, closed at the end of its scope.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags, 0644)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  bool ok() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

// 0 or the error number.
int WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

absl::Status WriteAndFlush(const std::string& path, const std::vector<std::string_view>& parts) {
  // O_NONBLOCK: opening a pipe must not wait for its other end.
  const OpenFile file(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (!file.ok()) return FileError("cannot create", path, errno);
  for (const std::string_view part : parts) {
    const int error = WriteAll(file.descriptor(), part);
    if (error != 0) return FileError("cannot write", path, error);
  }
  if (::fsync(file.descriptor()) != 0) return FileError("cannot flush", path, errno);
  return absl::OkStatus();
}

}  // namespace

absl::Status FileError(const std::string& what, const std::string& path, int error) {
  return StorageError(absl::StatusCode::kUnavailable,
                      what + " " + path + ": " + std::generic_category().message(error));
}

absl::Status MakeDirectory(const std::string& directory) {
  namespace fs = std::filesystem;
  std::vector<fs::path> parents;  // of what is missing
  std::error_code error;
  for (fs::path path = directory; !path.empty() && !fs::exists(path, error);) {
    path = path.parent_path();
    parents.push_back(path);
  }
  fs::create_directories(directory, error);
  if (error) return FileError("cannot make", directory, error.value());
  for (const fs::path& parent : parents) {
    absl::Status status = FlushDirectory(parent.empty() ? "." : parent.string());
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status WriteFileDurably(const std::string& directory, const std::string& temporary_name,
                              const std::string& name, const std::vector<std::string_view>& parts) {
  const std::string temporary = directory + "/" + temporary_name;
  const std::string path = directory + "/" + name;
  absl::Status status = WriteAndFlush(temporary, parts);
  if (status.ok() && std::rename(temporary.c_str(), path.c_str()) != 0) {
    status = FileError("cannot rename to", path, errno);
  }
  if (!status.ok()) {
    ::unlink(temporary.c_str());
    return status;
  }
  status = FlushDirectory(directory);
  // Nobody is told of a file that might not outlast a loss of power, so nobody may find one.
  if (!status.ok()) ::unlink(path.c_str());
  return status;
}

absl::StatusOr<std::optional<FileHead>> ReadFileHead(const std::string& path, size_t most_bytes,
                                                     Links links) {
  const int nofollow = links == Links::kRefuse ? O_NOFOLLOW : 0;
  const OpenFile file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | nofollow);
  if (!file.ok()) {
    if (errno == ENOENT) return std::optional<FileHead>();
    if (errno == ELOOP || errno == ENXIO) return FileHead{.bytes = {}, .regular = false};
    return FileError("cannot open", path, errno);
  }
  struct stat info;
  if (::fstat(file.descriptor(), &info) != 0) return FileError("cannot look at", path, errno);
  FileHead head;
  head.regular = S_ISREG(info.st_mode);
  if (!head.regular) return head;
  head.file_size = info.st_size;
  head.bytes.resize(std::min(most_bytes, static_cast<size_t>(info.st_size)));
  size_t done = 0;
  while (done < head.bytes.size()) {
    const ssize_t count =
        ::read(file.descriptor(), head.bytes.data() + done, head.bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError("cannot read", path, errno);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  head.bytes.resize(done);
  return head;
}

absl::Status FlushDirectory(const std::string& directory) {
  const OpenFile file(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!file.ok() || ::fsync(file.descriptor()) != 0) {
    return FileError("cannot flush", directory, errno);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> FindFileNames(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) return FileError("cannot list", directory, error.value());
  return names;
}

absl::StatusOr<std::optional<int64_t>> RemoveFile(const std::string& path) {
  struct stat info;
  const bool known = ::lstat(path.c_str(), &info) == 0;
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return std::optional<int64_t>();
    return FileError("cannot delete", path, errno);
  }
  const bool last_name = known && S_ISREG(info.st_mode) && info.st_nlink == 1;
  return std::optional<int64_t>(last_name ? info.st_size : 0);
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

absl::StatusOr<int64_t> TidyDirectory(const std::string& directory,
                                      std::string_view temporary_suffix, std::string_view suffix) {
  const auto names = FindFileNames(directory);
  if (!names.ok()) return names.status();
  int64_t bytes = 0;
  for (const std::string& name : *names) {
    const std::string path = directory + "/" + name;
    if (EndsWith(name, temporary_suffix)) {
      ::unlink(path.c_str());
      continue;
    }
    struct stat info;
    if (EndsWith(name, suffix) && ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
      bytes += info.st_size / static_cast<int64_t>(info.st_nlink);
    }
  }
  return bytes;
}

}  // namespace talus
