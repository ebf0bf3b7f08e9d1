#include "solver/world/step_outcome.h"

#include <cmath>

#include "solver/base/limits.h"
#include "solver/world/energy.h"

namespace talus {
namespace {

// Written so that a comparison with NaN refuses.
bool IsWithin(const Vec3& value, double limit) {
  return std::abs(value.x()) <= limit && std::abs(value.y()) <= limit &&
         std::abs(value.z()) <= limit;
}

// The body and the quantity, as in `body 17: new position`.
std::string DescribeRow(const StepContext& context, size_t row, const char* quantity) {
  std::string text = "body ";
  text += std::to_string(ToInteger(context.state.bodies.ids()[row]));
  return text + ": new " + quantity;
}

std::string FindLostQuantity(const StepContext& context) {
  const StepBuffers& buffers = context.buffers;
  const ContactSolution& solution = buffers.contact_set.solution;
  for (size_t row = 0; row < context.state.bodies.size(); ++row) {
    if (!IsWithin(solution.linear_velocities[row], kMaxStateSpeedMS)) {
      return DescribeRow(context, row, "linear velocity");
    }
    if (!IsWithin(solution.angular_velocities[row], kMaxStateAngularSpeedRadS)) {
      return DescribeRow(context, row, "angular velocity");
    }
    if (!IsWithin(buffers.new_positions[row], kMaxStatePositionM)) {
      return DescribeRow(context, row, "position");
    }
    if (!(std::abs(buffers.new_orientations[row].norm() - 1.0) <= kUnitTolerance)) {
      return DescribeRow(context, row, "orientation");
    }
  }
  for (const ContactImpulse& impulse : solution.impulses) {
    if (!IsFinite(impulse.linear) || !IsFinite(impulse.angular)) return "contact impulse";
  }
  return "";
}

}  // namespace

RollbackPoint::RollbackPoint(StepContext& context)
    : body_count_(context.state.bodies.size()),
      next_id_(context.state.bodies.next_id()),
      layout_version_(context.state.layout_version) {
  context.buffers.old_emitters = context.state.emitters;
}

void RollbackPoint::Restore(StepContext& context) const {
  context.state.bodies.Truncate(body_count_, next_id_);
  context.state.emitters = context.buffers.old_emitters;
  context.state.layout_version = layout_version_;
}

std::string FindFault(const StepContext& context) {
  const std::string quantity = FindLostQuantity(context);
  if (quantity.empty()) return "";
  return "step " + std::to_string(context.state.step_index + 1) + ", " + quantity +
         " is not finite or out of bounds";
}

void CommitStep(StepContext& context) {
  StepBuffers& buffers = context.buffers;
  ContactSolution& solution = buffers.contact_set.solution;
  context.state.bodies.SwapMotion(buffers.new_positions, buffers.new_orientations,
                                  solution.linear_velocities, solution.angular_velocities);
  std::swap(context.state.contact_cache, buffers.contact_cache);
  ++context.state.step_index;
}

void RemoveLeavers(StepContext& context) {
  SceneState& state = context.state;
  if (!state.domain.has_value()) return;
  const Vec3& low = state.domain->min_world_m;
  const Vec3& high = state.domain->max_world_m;
  std::vector<uint8_t>& leaving = context.buffers.leaving;
  leaving.assign(state.bodies.size(), 0);
  int64_t count = 0;
  for (size_t row = 0; row < leaving.size(); ++row) {
    const Vec3& x = state.bodies.positions()[row];
    const bool inside = (x.array() >= low.array()).all() && (x.array() <= high.array()).all();
    if (inside || state.bodies.kinds()[row] != BodyKind::kDynamic) continue;
    leaving[row] = 1;
    ++count;
  }
  context.report.removed_count = count;
  if (count == 0) return;
  state.bodies.Remove(leaving);
  ++state.layout_version;
}

void Account(StepContext& context) {
  const SceneState& state = context.state;
  context.report.step_index = state.step_index;
  context.report.time_s = state.time_s();
  context.report.body_count = static_cast<int64_t>(state.bodies.size());
  context.report.energy =
      ComputeEnergy(context.workers, state.bodies, state.settings.gravity_world_m_s2);
  context.report.state_hash = HashSceneState(state);
}

}  // namespace talus
