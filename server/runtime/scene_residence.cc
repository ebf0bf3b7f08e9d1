#include "server/runtime/scene_residence.h"

#include <utility>

namespace talus {

std::optional<absl::StatusOr<EvictedState>> SceneResidence::Fetch(std::function<void()> arrived) {
  if (arrival_ == nullptr) {
    arrival_ = std::make_shared<Arrival>();
    place_->Read(
        [arrival = arrival_, arrived = std::move(arrived)](absl::StatusOr<EvictedState> state) {
          {
            MutexLock lock(arrival->mutex);
            arrival->state.emplace(std::move(state));
          }
          arrived();
        });
  }
  std::optional<absl::StatusOr<EvictedState>> state;
  {
    MutexLock lock(arrival_->mutex);
    state.swap(arrival_->state);
  }
  if (state.has_value()) arrival_.reset();
  return state;
}

}  // namespace talus
