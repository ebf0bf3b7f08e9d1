// What drives a world. The rest of it is in world.cc.
#include "solver/world/world_parts.h"

namespace talus {

absl::StatusOr<ActuatorTargets> World::FindActuators(std::span<const ActuatorDef> actuators) const {
  return FindActuatorTargets(impl_->state, actuators);
}

absl::Status World::Actuate(const ActuatorTargets& actuators, std::span<const double> values) {
  if (absl::Status status = impl_->RefuseWhenFaulted(); !status.ok()) return status;
  const absl::StatusOr<ActuationEffect> effect =
      ::talus::Actuate(actuators, values, impl_->state, impl_->driven_before);
  if (!effect.ok()) return effect.status();
  impl_->NoteDriven(*effect);
  return absl::OkStatus();
}

void World::TakeBackActuation() {
  ::talus::TakeBackActuation(impl_->driven_before, impl_->state);
  impl_->NoteDriven(impl_->driven_before.effect);
  impl_->driven_before.Forget();
}

}  // namespace talus
