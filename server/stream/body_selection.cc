#include "server/stream/body_selection.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "server/session/error.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

constexpr int64_t kMostNamed = 65'536;
constexpr int64_t kLargestStride = 1'000'000;

std::string FieldAt(const char* list, size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

absl::Status AppendNamed(const std::vector<std::string>& names, const Layout& layout,
                         std::vector<uint64_t>& ids) {
  if (names.empty()) return absl::OkStatus();
  std::unordered_map<std::string_view, size_t> rows;
  for (size_t row = 0; row < layout.body_names.size(); ++row) {
    if (!layout.body_names[row].empty()) rows.emplace(layout.body_names[row], row);
  }
  for (size_t index = 0; index < names.size(); ++index) {
    const auto found = rows.find(names[index]);
    if (found == rows.end()) {
      return NotFoundError(FieldAt("bodies.names", index), FormatValue(names[index]));
    }
    ids.push_back(layout.body_ids[found->second]);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateSelection(const BodySelection& selection) {
  if (selection.every_kth_row < 0 || selection.every_kth_row > kLargestStride) {
    return InvalidFieldError("bodies.every_kth_row", std::to_string(selection.every_kth_row),
                             "must be in [0, 1000000]");
  }
  const int64_t named = static_cast<int64_t>(selection.ids.size() + selection.names.size());
  if (named <= kMostNamed) return absl::OkStatus();
  return InvalidFieldError("size(bodies)", std::to_string(named),
                           "must be <= " + std::to_string(kMostNamed));
}

absl::StatusOr<SelectedBodiesPtr> SelectedBodies::Resolve(const BodySelection& selection,
                                                          const Layout& layout) {
  // Not make_shared: the constructor is private.
  std::shared_ptr<SelectedBodies> bodies(new SelectedBodies);
  for (size_t index = 0; index < selection.ids.size(); ++index) {
    const uint64_t id = selection.ids[index];
    if (!std::binary_search(layout.body_ids.begin(), layout.body_ids.end(), id)) {
      return NotFoundError(FieldAt("bodies.ids", index), std::to_string(id));
    }
    bodies->ids_.push_back(id);
  }
  absl::Status named = AppendNamed(selection.names, layout, bodies->ids_);
  if (!named.ok()) return named;
  std::sort(bodies->ids_.begin(), bodies->ids_.end());
  bodies->ids_.erase(std::unique(bodies->ids_.begin(), bodies->ids_.end()), bodies->ids_.end());
  bodies->every_kth_row_ = selection.every_kth_row;
  return SelectedBodiesPtr(std::move(bodies));
}

SelectedBodies::Rows SelectedBodies::FindRows(const Layout& layout) const {
  MutexLock lock(mutex_);
  if (rows_ != nullptr && rows_version_ == layout.version) return rows_;
  auto rows = std::make_shared<std::vector<uint32_t>>();
  const size_t stride = static_cast<size_t>(every_kth_row_);
  size_t next = 0;  // in ids_; both lists are sorted
  for (size_t row = 0; row < layout.body_ids.size(); ++row) {
    while (next < ids_.size() && ids_[next] < layout.body_ids[row]) ++next;
    const bool named = next < ids_.size() && ids_[next] == layout.body_ids[row];
    if (named || (stride > 0 && row % stride == 0)) rows->push_back(static_cast<uint32_t>(row));
  }
  rows_version_ = layout.version;
  rows_ = std::move(rows);
  return rows_;
}

bool SelectedBodies::Contains(uint64_t body_id) const {
  return std::binary_search(ids_.begin(), ids_.end(), body_id);
}

}  // namespace talus
