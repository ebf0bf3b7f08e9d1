// The encoded forms of one frame, so that the first watcher with a given view encodes and the
// others share the bytes.
//
// Thread-safe. Knows nothing of the encoding: a view is a key chosen by the RPC layer, the bytes
// are what it made. Keeps a bounded number of forms; a watcher with yet another view pays for its
// own.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "solver/base/mutex.h"

namespace talus {

// What tells the views of one frame apart.
struct ViewKey {
  uint32_t parts = 0;                               // columns, layout and profile as bits
  std::shared_ptr<const void> selection = nullptr;  // by identity, which holding it keeps
  double position_step_m = 0.0;
  int64_t base = -1;  // the moment of the key frame it refers to

  auto operator<=>(const ViewKey&) const = default;
};

class FrameEncodings {
 public:
  using Bytes = std::shared_ptr<const std::string>;
  static constexpr size_t kMostViews = 8;

  // The bytes under `view`, made by `encode` if nobody did yet. Encoding the same view twice at the
  // same time is avoided by letting the second wait; a frame has few views. Beyond kMostViews the
  // caller gets bytes that nobody shares.
  Bytes FindOrEncode(const ViewKey& view, const std::function<std::string()>& encode);
  // How many views are kept.
  size_t count() const;

 private:
  mutable Mutex mutex_;
  std::map<ViewKey, Bytes> encoded_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus
