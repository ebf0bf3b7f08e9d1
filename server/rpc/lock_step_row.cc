#include "server/rpc/lock_step_row.h"

#include <algorithm>

namespace talus::rpc {

bool LockStepRow::KnowCaller(const void* caller, TimePoint now) {
  const auto known = std::find_if(callers_.begin(), callers_.end(),
                                  [&](const Caller& one) { return one.who == caller; });
  const auto place =
      known != callers_.end()
          ? known
          : std::min_element(callers_.begin(), callers_.end(),
                             [](const Caller& a, const Caller& b) { return a.last < b.last; });
  const bool free = known != callers_.end() || now - place->last > rule_.patience;
  *place = {caller, now};
  return free;
}

LockStepRow::Finding LockStepRow::Note(const void* caller, TimePoint now) {
  if (!KnowCaller(caller, now)) crowd_until_ = now + rule_.crowd;
  calls_ = now - last_ > rule_.apart ? 0 : calls_ + 1;
  last_ = now;
  if (now < crowd_until_) {
    calls_ = 0;
    return Finding::kCrowd;
  }
  return calls_ >= rule_.row ? Finding::kRow : Finding::kNone;
}

}  // namespace talus::rpc
