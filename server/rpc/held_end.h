// The end of a call that is cancelled from a thread of our own. gRPC must not be told of it before
// that is done: from then on the call may be gone.
//
// Not thread-safe: it is a member of something that has a lock.
#pragma once

#include <optional>
#include <utility>

#include "absl/status/status.h"

namespace talus::rpc {

class HeldEnd {
 public:
  // Of a call that cannot have ended: a write is in flight.
  void Hold() { held_ = true; }
  // True: the end waits for Release.
  bool Keep(const absl::Status& status) {
    if (held_) status_ = status;
    return held_;
  }
  // The end that came meanwhile.
  std::optional<absl::Status> Release() {
    held_ = false;
    return std::exchange(status_, std::nullopt);
  }

 private:
  bool held_ = false;
  std::optional<absl::Status> status_;
};

}  // namespace talus::rpc
