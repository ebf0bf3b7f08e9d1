#include "solver/world/step_joints.h"

#include <algorithm>

#include "solver/constraints/assemble_joints.h"

namespace talus {

void StepJoints::Assemble(const SceneState& state) {
  FindJointLinks(state, links_);
  AssembleJoints(state, rows_);
  places_.clear();
  impulses_.clear();
}

JointSolution StepJoints::Start(const SceneState& state, const Sleepers* sleepers) {
  for (size_t index = 0; index < links_.size(); ++index) {
    const JointLink& link = links_[index];
    const auto asleep = [&](uint32_t row) { return row != kWorldRow && sleepers->asleep(row); };
    // The dynamic bodies of a joint are in one island: both sleep or neither.
    if (sleepers != nullptr && (asleep(link.row_a) || asleep(link.row_b))) continue;
    rows_[places_.size()] = rows_[index];
    places_.push_back(static_cast<uint32_t>(index));
    Wrench& impulse = impulses_.emplace_back(Wrench::Zero());
    if (state.settings.solver.warm_start) {
      impulse = Eigen::Map<const Wrench>(state.joints[index].impulse.data());
    }
  }
  return {std::span(rows_).first(places_.size()), impulses_};
}

bool StepJoints::AllFinite() const {
  return std::ranges::all_of(impulses_, [](const Wrench& w) { return w.allFinite(); });
}

void StepJoints::Keep(SceneState& state) const {
  for (size_t i = 0; i < places_.size(); ++i) {
    Eigen::Map<Wrench>(state.joints[places_[i]].impulse.data()) = impulses_[i];
  }
}

}  // namespace talus
