#include "server/stream/frame_encodings.h"

namespace talus {

FrameEncodings::Bytes FrameEncodings::FindOrEncode(const ViewKey& view,
                                                   const std::function<std::string()>& encode) {
  {
    MutexLock lock(mutex_);
    const auto found = encoded_.find(view);
    if (found != encoded_.end()) return found->second;
    if (encoded_.size() < kMostViews) {
      auto bytes = std::make_shared<const std::string>(encode());
      encoded_.emplace(view, bytes);
      return bytes;
    }
  }
  return std::make_shared<const std::string>(encode());
}

size_t FrameEncodings::count() const {
  MutexLock lock(mutex_);
  return encoded_.size();
}

}  // namespace talus
