#include "server/rpc/call_counts.h"

#include <array>
#include <atomic>
#include <vector>

namespace talus::rpc {
namespace {

using CodeCounts = std::array<std::atomic<int64_t>, kCodeCount>;

std::vector<CodeCounts>& Counts() {
  static std::vector<CodeCounts>& counts = *new std::vector<CodeCounts>(AllRpcs().size());
  return counts;
}

size_t PlaceOf(absl::StatusCode code) {
  const int number = static_cast<int>(code);
  const bool known = number >= 0 && number < kCodeCount;
  return static_cast<size_t>(known ? number : static_cast<int>(absl::StatusCode::kUnknown));
}

}  // namespace

void CountCall(std::string_view method, absl::StatusCode code) {
  const RpcAccess* rpc = FindRpc(method);
  if (rpc == nullptr) return;
  Counts()[rpc->index][PlaceOf(code)].fetch_add(1, std::memory_order_relaxed);
}

int64_t CallsEnded(const RpcAccess& rpc, absl::StatusCode code) {
  return Counts()[rpc.index][PlaceOf(code)].load(std::memory_order_relaxed);
}

}  // namespace talus::rpc
