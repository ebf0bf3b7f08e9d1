// The encoded forms of one frame, so that the first watcher with a given view encodes and the
// others share the bytes.
//
// Thread-safe. Knows nothing of the encoding: a view is a key chosen by the RPC layer, the bytes
// are what it made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "solver/base/mutex.h"

namespace talus {

class FrameEncodings {
 public:
  using Bytes = std::shared_ptr<const std::string>;

  // The bytes under `view`, made by `encode` if nobody did yet. Encoding the same view twice at the
  // same time is avoided by letting the second wait; a frame has few views.
  Bytes FindOrEncode(uint32_t view, const std::function<std::string()>& encode);
  // How many views were encoded so far.
  size_t count() const;

 private:
  mutable Mutex mutex_;
  std::map<uint32_t, Bytes> encoded_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
