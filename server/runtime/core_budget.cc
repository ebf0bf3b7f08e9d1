#include "server/runtime/core_budget.h"

#include <algorithm>

#include "solver/base/check.h"

namespace talus {

CoreBudget::CoreBudget(int total, int most_per_lease)
    : total_(total), most_per_lease_(most_per_lease) {
  TALUS_CHECK(total >= 1 && most_per_lease >= 1);
}

CoreBudget::Lease CoreBudget::Take(int busy_scenes) {
  MutexLock lock(mutex_);
  const int share = total_ / std::max(1, busy_scenes);
  const int free = total_ - lent_;
  const int cores = std::max(1, std::min({share, most_per_lease_, free}));
  lent_ += cores;
  return Lease(*this, cores);
}

void CoreBudget::Return(int cores) {
  MutexLock lock(mutex_);
  lent_ -= cores;
  TALUS_DCHECK(lent_ >= 0);
}

int CoreBudget::lent() const {
  MutexLock lock(mutex_);
  return lent_;
}

}  // namespace talus
