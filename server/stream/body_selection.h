// Which bodies of a scene somebody wants to hear of, and which rows of a layout those are.
//
// A BodySelection is what was asked for; resolved once against the layout of the moment a watcher
// joins it becomes SelectedBodies, immutable and shared by all watchers that selected the same.
// Bodies that go later drop out of the rows; ids are never used twice, so nobody takes their place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/stream/frame.h"
#include "solver/base/mutex.h"

namespace talus {

struct BodySelection {
  std::vector<uint64_t> ids{};
  std::vector<std::string> names{};
  int64_t every_kth_row = 0;  // 0: none; else the rows 0, k, 2k, ... of each layout as well

  bool all() const { return ids.empty() && names.empty() && every_kth_row == 0; }
};

// INVALID_ARGUMENT: `bodies.every_kth_row`, or too many names and ids.
absl::Status ValidateSelection(const BodySelection& selection);

class SelectedBodies {
 public:
  // NOT_FOUND names the first id or name that the layout has not.
  static absl::StatusOr<std::shared_ptr<const SelectedBodies>> Resolve(
      const BodySelection& selection, const Layout& layout);

  using Rows = std::shared_ptr<const std::vector<uint32_t>>;
  // The rows of the selected bodies that are there, increasing. Kept for the last layout asked for,
  // so that a frame costs nothing. Thread-safe.
  Rows FindRows(const Layout& layout) const;
  // Whether the body was selected by its id or name.
  bool Contains(uint64_t body_id) const;

  bool SelectsSame(const SelectedBodies& other) const {
    return ids_ == other.ids_ && every_kth_row_ == other.every_kth_row_;
  }

 private:
  SelectedBodies() = default;

  std::vector<uint64_t> ids_;  // sorted, each once
  int64_t every_kth_row_ = 0;
  mutable Mutex mutex_;
  mutable int64_t rows_version_ TALUS_GUARDED_BY(mutex_) = -1;
  mutable Rows rows_ TALUS_GUARDED_BY(mutex_);
};

using SelectedBodiesPtr = std::shared_ptr<const SelectedBodies>;

}  // namespace talus
