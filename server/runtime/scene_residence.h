// Where the state of a scene is: in memory, in an evicted scene's place, or on its way back.
//
// Belongs to one actor and is only touched inside its quantum; what is fetched arrives from another
// thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "server/runtime/evicted_scene.h"
#include "solver/base/mutex.h"

namespace talus {

class SceneResidence {
 public:
  bool evicted() const { return place_ != nullptr; }
  const std::shared_ptr<EvictedScene>& place() const { return place_; }

  void Leave(std::shared_ptr<EvictedScene> place) { place_ = std::move(place); }
  // What came back; nothing yet: it is on its way, and `arrived` runs when it has come. What failed
  // is told once, then fetched anew.
  std::optional<absl::StatusOr<EvictedState>> Fetch(std::function<void()> arrived);
  // The state is in memory again.
  void Return() { place_.reset(); }

 private:
  struct Arrival {
    Mutex mutex;
    std::optional<absl::StatusOr<EvictedState>> state TALUS_GUARDED_BY(mutex);
  };

  std::shared_ptr<EvictedScene> place_;  // null: in memory
  std::shared_ptr<Arrival> arrival_;     // null: not asked for
};

}  // namespace talus
