#include "server/storage/recording_view.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "server/storage/file.h"

namespace talus {

absl::StatusOr<std::shared_ptr<RecordingView>> RecordingView::Open(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for its other end.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return FileError("cannot open", path, errno);
  struct stat info;
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return FileError("cannot read", path, EINVAL);
  }
  return std::shared_ptr<RecordingView>(new RecordingView(descriptor, path, info.st_size));
}

RecordingView::~RecordingView() { ::close(descriptor_); }

absl::StatusOr<std::string> RecordingView::Read(int64_t offset, int64_t count) const {
  if (offset < 0 || count < 0 || offset > size_) return FileError("cannot read", path_, EINVAL);
  std::string bytes(static_cast<size_t>(std::min(count, size_ - offset)), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                offset + static_cast<int64_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError("cannot read", path_, errno);
    if (got == 0) break;  // a recording that failed was cut back meanwhile
    done += static_cast<size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace talus
