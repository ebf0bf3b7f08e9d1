#include "solver/world/step_outcome.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>

#include "solver/base/limits.h"
#include "solver/parallel/ordered_reduce.h"
#include "solver/world/energy.h"
#include "solver/world/joint_links.h"

namespace talus {
namespace {

constexpr size_t kOutcomeChunk = 1024;
constexpr size_t kBlockChunk = 128;  // of contacts

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

// Numbers that are above the limit or not numbers. Counted without branches: there are none.
template <typename T>
int64_t CountOutside(std::span<const T> values, double limit) {
  static_assert(sizeof(T) % sizeof(double) == 0 && std::is_standard_layout_v<T>);
  const auto* numbers = reinterpret_cast<const double*>(values.data());
  const size_t count = values.size_bytes() / sizeof(double);
  int64_t outside = 0;
  for (size_t i = 0; i < count; ++i) outside += std::abs(numbers[i]) <= limit ? 0 : 1;
  return outside;
}

bool IsUnit(const Quat& turn) { return std::abs(turn.norm() - 1.0) <= kUnitTolerance; }

// Whether there is nothing to look for.
bool IsSound(const StepContext& context) {
  const StepBuffers& buffers = context.buffers;
  const std::span<const WrenchBlock> blocks = buffers.contact_set.solution.impulse_blocks;
  const auto part = [](const auto& column, size_t begin, size_t end) {
    return std::span(column).subspan(begin, end - begin);
  };
  std::atomic<bool> sound{true};
  ParallelForChunks(
      context.workers, context.state.bodies.size(), kOutcomeChunk,
      [&](size_t begin, size_t end, size_t) {
        int64_t outside =
            CountOutside(part(buffers.linear_velocities, begin, end), kMaxStateSpeedMS) +
            CountOutside(part(buffers.angular_velocities, begin, end), kMaxStateAngularSpeedRadS) +
            CountOutside(part(buffers.new_positions, begin, end), kMaxStatePositionM);
        for (size_t row = begin; row < end; ++row) {
          outside += IsUnit(buffers.new_orientations[row]) ? 0 : 1;
        }
        if (outside > 0) sound.store(false, std::memory_order_relaxed);
      });
  constexpr double kLargest = std::numeric_limits<double>::max();
  ParallelForChunks(context.workers, blocks.size(), kBlockChunk,
                    [&](size_t begin, size_t end, size_t) {
                      if (CountOutside(part(blocks, begin, end), kLargest) > 0) {
                        sound.store(false, std::memory_order_relaxed);
                      }
                    });
  return buffers.joints.AllFinite() && sound.load(std::memory_order_relaxed);
}

std::string FindLostQuantity(const StepContext& context) {
  const StepBuffers& buffers = context.buffers;
  for (size_t row = 0; row < context.state.bodies.size(); ++row) {
    if (!IsWithin(buffers.linear_velocities[row], kMaxStateSpeedMS)) {
      return DescribeRow(context, row, "linear velocity");
    }
    if (!IsWithin(buffers.angular_velocities[row], kMaxStateAngularSpeedRadS)) {
      return DescribeRow(context, row, "angular velocity");
    }
    if (!IsWithin(buffers.new_positions[row], kMaxStatePositionM)) {
      return DescribeRow(context, row, "position");
    }
    if (!IsUnit(buffers.new_orientations[row])) {
      return DescribeRow(context, row, "orientation");
    }
  }
  const ContactSolution& solution = buffers.contact_set.solution;
  for (size_t contact = 0; contact < solution.slots.size(); ++contact) {
    if (!solution.wrench(contact).allFinite()) return "contact impulse";
  }
  if (!buffers.joints.AllFinite()) return "joint impulse";
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
  if (IsSound(context)) return "";
  const std::string quantity = FindLostQuantity(context);
  if (quantity.empty()) return "";
  return "step " + std::to_string(context.state.step_index + 1) + ", " + quantity +
         " is not finite or out of bounds";
}

void CommitStep(StepContext& context) {
  StepBuffers& buffers = context.buffers;
  context.state.bodies.SwapMotion(buffers.new_positions, buffers.new_orientations,
                                  buffers.linear_velocities, buffers.angular_velocities);
  if (context.state.settings.sleep.has_value()) {
    context.state.bodies.SwapStillSteps(buffers.sleepers.still_steps());
  }
  ++context.state.step_index;
}

void RemoveLeavers(StepContext& context) {
  SceneState& state = context.state;
  if (!state.domain.has_value()) return;
  const Vec3& low = state.domain->min_world_m;
  const Vec3& high = state.domain->max_world_m;
  std::vector<uint8_t>& leaving = context.buffers.leaving;
  leaving.resize(state.bodies.size());
  const auto leaves = [&](size_t row) {
    const Vec3& x = state.bodies.positions()[row];
    const bool inside = (x.array() >= low.array()).all() && (x.array() <= high.array()).all();
    leaving[row] = inside || state.bodies.kinds()[row] != BodyKind::kDynamic ? 0 : 1;
    return int64_t{leaving[row]};
  };
  const int64_t count = OrderedReduce(context.workers, leaving.size(), kOutcomeChunk, int64_t{0},
                                      leaves, std::plus<int64_t>());
  context.report.removed_count = count;
  if (count == 0) return;
  WakeNeighbours(leaving, state);
  RemoveJointsAndLoadsOf(leaving, state);
  context.buffers.contact_set.NoteIds(state.bodies.ids());
  state.bodies.Remove(leaving);
  ++state.layout_version;
}

void Account(StepContext& context) {
  const SceneState& state = context.state;
  context.report.step_index = state.step_index;
  context.report.time_s = state.time_s();
  context.report.body_count = static_cast<int64_t>(state.bodies.size());
  if (state.settings.sleep.has_value()) {
    context.report.sleeping_body_count =
        std::ranges::count(state.bodies.still_steps(), BodyStore::kAsleep);
  }
  context.report.energy =
      ComputeEnergy(context.workers, state.bodies, state.settings.gravity_world_m_s2);
  context.report.state_hash = HashSceneState(state);
}

}  // namespace talus
