// The time for which one lease holds, as the calls that came under it look at it.
//
// Thread-safe; ends once.
#pragma once

#include <atomic>
#include <memory>

namespace talus {

class LeaseTerm {
 public:
  void End() { ended_.store(true, std::memory_order_release); }
  bool ended() const { return ended_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> ended_{false};
};

// Null: of a call that needs no lease.
using LeaseTermPtr = std::shared_ptr<const LeaseTerm>;

}  // namespace talus
