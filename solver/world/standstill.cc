#include "solver/world/standstill.h"

namespace talus {
namespace {

bool IsAnythingPrescribedMoving(const BodyStore& bodies) {
  for (size_t row = 0; row < bodies.size(); ++row) {
    if (bodies.kinds()[row] != BodyKind::kKinematic) continue;
    if (!bodies.linear_velocities()[row].isZero(0.0)) return true;
    if (!bodies.angular_velocities()[row].isZero(0.0)) return true;
  }
  return false;
}

}  // namespace

void Standstill::Note(const SceneState& after, const StepReport& report, bool all_asleep) {
  step_index_ = -1;
  if (!all_asleep || report.removed_count > 0 || IsAnythingPrescribedMoving(after.bodies)) return;
  step_index_ = after.step_index;
  layout_version_ = after.layout_version;
  report_ = report;
  report_.stage_times = {};
}

bool Standstill::Holds(const SceneState& state) const {
  return state.step_index == step_index_ && state.layout_version == layout_version_;
}

void Standstill::Repeat(SceneState& state, StepReport& report) {
  report = report_;
  report.step_index = step_index_ = ++state.step_index;
  report.time_s = state.time_s();
  report.state_hash = HashSceneState(state);
}

}  // namespace talus
