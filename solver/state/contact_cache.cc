#include "solver/state/contact_cache.h"

#include "solver/base/check.h"

namespace talus {

void ContactCache::Add(const ContactKey& key, const CachedImpulse& impulse) {
  TALUS_DCHECK(keys_.empty() || keys_.back() < key);
  if (impulse.linear.isZero(0.0) && impulse.angular.isZero(0.0)) return;
  keys_.push_back(key);
  impulses_.push_back(impulse);
}

}  // namespace talus
