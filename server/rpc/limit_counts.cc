#include "server/rpc/limit_counts.h"

#include <algorithm>
#include <atomic>

#include "talus/v1/server_service.pb.h"

namespace talus::rpc {
namespace {

// The schema's own list, so that none can be forgotten.
std::vector<std::string> ListNames() {
  std::vector<std::string> names;
  const auto* limits = v1::Limits::descriptor();
  for (int i = 0; i < limits->field_count(); ++i) {
    names.emplace_back(limits->field(i)->name());
  }
  return names;
}

// Null where no limit has this name.
std::atomic<int64_t>* FindCount(std::string_view limit_name) {
  static std::vector<std::atomic<int64_t>>& counts =
      *new std::vector<std::atomic<int64_t>>(LimitNames().size());
  const std::vector<std::string>& names = LimitNames();
  const auto found = std::find(names.begin(), names.end(), limit_name);
  return found == names.end() ? nullptr : &counts[static_cast<size_t>(found - names.begin())];
}

}  // namespace

const std::vector<std::string>& LimitNames() {
  static const std::vector<std::string>& names = *new std::vector<std::string>(ListNames());
  return names;
}

void CountRefusal(std::string_view limit_name) {
  std::atomic<int64_t>* const count = limit_name.empty() ? nullptr : FindCount(limit_name);
  if (count != nullptr) count->fetch_add(1, std::memory_order_relaxed);
}

int64_t RefusalsBy(std::string_view limit_name) {
  const std::atomic<int64_t>* const count = FindCount(limit_name);
  return count == nullptr ? 0 : count->load(std::memory_order_relaxed);
}

}  // namespace talus::rpc
