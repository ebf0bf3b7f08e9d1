#include "clients/cpp/frame_file.h"

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace talus::client {
namespace {

Error FileError(const std::string& what, const std::string& path) {
  Error error;
  error.message = what + " " + path + ": " + std::strerror(errno);
  return error;
}

}  // namespace

FrameWriter::FrameWriter(std::string path, int descriptor, int64_t byte_size)
    : path_(std::move(path)), descriptor_(descriptor), byte_size_(byte_size) {}

FrameWriter::FrameWriter(FrameWriter&& other) noexcept { *this = std::move(other); }

FrameWriter& FrameWriter::operator=(FrameWriter&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(byte_size_, other.byte_size_);
  return *this;
}

FrameWriter::~FrameWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<FrameWriter> FrameWriter::Open(const std::string& path, int64_t keep_bytes) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (keep_bytes == 0 ? O_TRUNC : 0);
  const int descriptor = ::open(path.c_str(), flags, 0644);
  if (descriptor < 0) return FileError("cannot open", path);
  FrameWriter writer(path, descriptor, keep_bytes);
  if (keep_bytes > 0 &&
      (::ftruncate(descriptor, keep_bytes) != 0 || ::lseek(descriptor, keep_bytes, SEEK_SET) < 0)) {
    return FileError("cannot cut", path);
  }
  return writer;
}

Result<Done> FrameWriter::Write(const v1::Frame& frame) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream output(&bytes);
    if (!google::protobuf::util::SerializeDelimitedToZeroCopyStream(frame, &output)) {
      Error error;
      error.message = "a frame is too large for " + path_;
      return error;
    }
  }
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError("cannot write", path_);
    done += static_cast<size_t>(written);
  }
  byte_size_ += static_cast<int64_t>(bytes.size());
  return Done{};
}

Result<Done> FrameWriter::Sync() {
  if (::fsync(descriptor_) != 0) return FileError("cannot sync", path_);
  return Done{};
}

struct FrameReader::Input {
  explicit Input(int descriptor) : file(descriptor) { file.SetCloseOnDelete(true); }
  google::protobuf::io::FileInputStream file;
};

FrameReader::FrameReader(std::unique_ptr<Input> input) : input_(std::move(input)) {}
FrameReader::FrameReader(FrameReader&&) noexcept = default;
FrameReader& FrameReader::operator=(FrameReader&&) noexcept = default;
FrameReader::~FrameReader() = default;

Result<FrameReader> FrameReader::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return FileError("cannot open", path);
  return FrameReader(std::make_unique<Input>(descriptor));
}

bool FrameReader::Read(v1::Frame* frame) {
  bool clean_end = false;
  frame->Clear();
  if (!google::protobuf::util::ParseDelimitedFromZeroCopyStream(frame, &input_->file, &clean_end)) {
    // A length that is none is taken for the end, too, but then something is left.
    const void* rest = nullptr;
    int size = 0;
    torn_ = !clean_end || input_->file.Next(&rest, &size);
    return false;
  }
  byte_offset_ = input_->file.ByteCount();
  return true;
}

}  // namespace talus::client
