// The cores the server lends to steps: few busy scenes go wide, many take one core each.
//
// Legal only because the result of a step does not depend on the number of workers. Nobody ever
// waits for a lease: the executor thread that asks is a core already, so the smallest lease is one;
// only the cores beyond it are shared out. A lease wider than one is only given when all leases
// together stay within the budget. Thread-safe.
#pragma once

#include "solver/base/mutex.h"

namespace talus {

class CoreBudget {
 public:
  // Both >= 1.
  CoreBudget(int total, int most_per_lease);

  class Lease {
   public:
    Lease(CoreBudget& budget, int cores) : budget_(&budget), cores_(cores) {}
    Lease(Lease&& other) noexcept : budget_(other.budget_), cores_(other.cores_) {
      other.budget_ = nullptr;
    }
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (budget_ != nullptr) budget_->Return(cores_);
    }
    int cores() const { return cores_; }

   private:
    CoreBudget* budget_;
    int cores_;
  };

  // `busy_scenes` is how many want cores now, the caller included; each gets an equal share, at
  // least one core.
  Lease Take(int busy_scenes);
  // For a step that would be over before a second core is awake.
  Lease TakeOne() { return Take(total_); }

  int total() const { return total_; }
  int most_per_lease() const { return most_per_lease_; }
  int lent() const;

 private:
  void Return(int cores);

  const int total_;
  const int most_per_lease_;
  mutable Mutex mutex_;
  int lent_ TALUS_GUARDED_BY(mutex_) = 0;
};

}  // namespace talus
