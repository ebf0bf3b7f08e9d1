#include "server/storage/storage_quota.h"

#include "server/session/error.h"

namespace talus {

absl::Status StorageQuota::Take(int64_t bytes) {
  int64_t used = used_bytes_.load();
  do {
    if (bytes > limit_bytes_ - used) return LimitError("storage_bytes", limit_bytes_, used + bytes);
  } while (!used_bytes_.compare_exchange_weak(used, used + bytes));
  return absl::OkStatus();
}

}  // namespace talus
