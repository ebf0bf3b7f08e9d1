#include "solver/world/sleepers.h"

#include <algorithm>
#include <cmath>

#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kSleeperChunk = 512;

bool IsDynamic(const BodyStore& bodies, size_t row) {
  return bodies.kinds()[row] == BodyKind::kDynamic;
}

bool IsMovingPrescribed(const BodyStore& bodies, size_t row) {
  return bodies.kinds()[row] == BodyKind::kKinematic &&
         !(bodies.linear_velocities()[row].isZero(0.0) &&
           bodies.angular_velocities()[row].isZero(0.0));
}

// How far the points of a dynamic body's surface are from its centre of mass at most, metres; of
// one without a surface, how far its matter is in the mean.
double FindReach(const BodyStore& bodies, size_t body) {
  const ShapeTable& shapes = bodies.shapes();
  const auto [begin, end] = shapes.rows_of(body);
  if (begin == end) {
    return std::sqrt(0.5 * bodies.inertias().inertia(body).trace() / bodies.masses()[body]);
  }
  double reach = 0.0;
  for (size_t row = begin; row < end; ++row) {
    const ShapeRow shape = shapes[row];
    const auto* sphere = std::get_if<Sphere>(&shape.geometry);
    const auto* box = std::get_if<Box>(&shape.geometry);
    const double extent = sphere != nullptr ? sphere->radius_m
                          : box != nullptr  ? box->half_extents_m.norm()
                                            : 0.0;
    reach = std::max(reach, shape.pose_body.position.norm() + extent);
  }
  return reach;
}

}  // namespace

void Sleepers::FindAwakeIslands(const BodyStore& bodies, std::span<const ContactInput> contacts,
                                std::span<const JointLink> joints) {
  islands_.Find(bodies.kinds(), contacts, joints);
  awake_.assign(bodies.size(), 0);
  restless_.assign(bodies.size(), 0);
  for (size_t row = 0; row < bodies.size(); ++row) {
    if (IsDynamic(bodies, row) && !bodies.asleep(row)) awake_[islands_.of(row)] = 1;
  }
  for (const ContactInput& contact : contacts) {
    if (IsMovingPrescribed(bodies, contact.body_a)) restless_[islands_.of(contact.body_b)] = 1;
    if (IsMovingPrescribed(bodies, contact.body_b)) restless_[islands_.of(contact.body_a)] = 1;
  }
  for (const JointLink& joint : joints) {
    const bool moved_by_a = joint.row_a != kWorldRow && IsMovingPrescribed(bodies, joint.row_a);
    if (joint.driven || moved_by_a) restless_[islands_.of(joint.row_b)] = 1;
    if (joint.row_a == kWorldRow) continue;
    if (joint.driven || IsMovingPrescribed(bodies, joint.row_b)) {
      restless_[islands_.of(joint.row_a)] = 1;
    }
  }
}

void Sleepers::FindSleepers(const SceneState& state, std::span<const ContactInput> contacts,
                            std::span<const JointLink> joints) {
  const BodyStore& bodies = state.bodies;
  FindAwakeIslands(bodies, contacts, joints);
  asleep_.resize(bodies.size());
  count_ = 0;
  awake_count_ = 0;
  for (size_t row = 0; row < bodies.size(); ++row) {
    const uint32_t island = islands_.of(row);
    asleep_[row] = bodies.asleep(row) && awake_[island] == 0 && restless_[island] == 0 ? 1 : 0;
    count_ += asleep_[row];
    awake_count_ += IsDynamic(bodies, row) && asleep_[row] == 0 ? 1 : 0;
  }
}

void Sleepers::StopFreeMotion(std::span<Vec3> free_linear, std::span<Vec3> free_angular) const {
  if (count_ == 0) return;
  for (size_t row = 0; row < asleep_.size(); ++row) {
    if (asleep_[row] == 0) continue;
    free_linear[row].setZero();
    free_angular[row].setZero();
  }
}

void Sleepers::FallAsleep(WorkerArena& workers, const SceneState& state,
                          std::span<Vec3> linear_velocities, std::span<Vec3> angular_velocities) {
  const BodyStore& bodies = state.bodies;
  const SleepSettings& sleep = *state.settings.sleep;
  const uint32_t enough = CountStillSteps(sleep, state.settings.time_step_s);
  still_steps_.resize(bodies.size());
  ParallelFor(workers, bodies.size(), kSleeperChunk, [&](size_t row) {
    still_steps_[row] = asleep_[row] != 0 ? BodyStore::kAsleep : 0;
    if (asleep_[row] != 0 || !IsDynamic(bodies, row)) return;
    double speed = linear_velocities[row].norm();
    // Written so that a comparison with NaN refuses.
    if (!(speed <= sleep.speed_m_s)) return;
    speed += angular_velocities[row].norm() * FindReach(bodies, row);
    if (!(speed <= sleep.speed_m_s)) return;
    const uint32_t before = bodies.asleep(row) ? 0 : bodies.still_steps()[row];
    still_steps_[row] = std::min(before + 1, enough);
  });
  for (size_t row = 0; row < bodies.size(); ++row) {
    if (still_steps_[row] < enough) restless_[islands_.of(row)] = 1;
  }
  for (size_t row = 0; row < bodies.size(); ++row) {
    if (!IsDynamic(bodies, row) || asleep_[row] != 0 || restless_[islands_.of(row)] != 0) continue;
    still_steps_[row] = BodyStore::kAsleep;
    linear_velocities[row].setZero();
    angular_velocities[row].setZero();
  }
}

void Sleepers::KeepPoses(const BodyStore& bodies, std::span<Vec3> positions,
                         std::span<Quat> orientations) const {
  for (size_t row = 0; row < still_steps_.size(); ++row) {
    if (still_steps_[row] != BodyStore::kAsleep) continue;
    positions[row] = bodies.positions()[row];
    orientations[row] = bodies.orientations()[row];
  }
}

void WakeNeighbours(std::span<const uint8_t> leaving, SceneState& state) {
  if (!state.settings.sleep.has_value()) return;
  BodyStore& bodies = state.bodies;
  const auto stir_beside = [&](std::optional<size_t> gone, std::optional<size_t> row) {
    if (gone.has_value() && row.has_value() && leaving[*gone] != 0) bodies.Stir(*row);
  };
  for (const ContactKey& key : state.contact_cache.keys()) {
    const std::optional<size_t> row_a = bodies.FindRow(key.body_a);
    const std::optional<size_t> row_b = bodies.FindRow(key.body_b);
    stir_beside(row_a, row_b);
    stir_beside(row_b, row_a);
  }
}

}  // namespace talus
