#include "server/stream/frame_encodings.h"

namespace talus {

FrameEncodings::Bytes FrameEncodings::FindOrEncode(uint32_t view,
                                                   const std::function<std::string()>& encode) {
  MutexLock lock(mutex_);
  Bytes& bytes = encoded_[view];
  if (bytes == nullptr) bytes = std::make_shared<const std::string>(encode());
  return bytes;
}

size_t FrameEncodings::count() const {
  MutexLock lock(mutex_);
  return encoded_.size();
}

}  // namespace talus
