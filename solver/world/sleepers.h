// Who sleeps in a step, who wakes, who falls asleep.
//
// Joints connect as contacts do, and one with a motor whose target is not zero keeps its island
// awake. Contacts are found as if all bodies were awake. Then each island (islands.h) that holds an
// awake body, or that touches a kinematic body in motion, wakes as a whole, before anything is
// solved. So an island is stepped or sleeps as one: no impulse passes between a body that sleeps
// and one that does not. What touches is what the search calls a contact: surfaces that may meet
// within the step. Waking and falling asleep use the same relation, so an island does not fall
// asleep beside a neighbour that would wake it at once.
//
// After the solve an island falls asleep when no body of it has moved faster than the settings say
// for the time they say and it touches no kinematic body in motion. Its bodies stop, and stay where
// they were at the start of the step: there their contacts were found and solved, and are found
// again while they sleep.
//
// Serial but for what is asked of every body: the bits do not depend on the workers. The memory is
// kept from step to step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/parallel/worker_arena.h"
#include "solver/state/scene_state.h"
#include "solver/world/islands.h"
#include "solver/world/joint_links.h"

namespace talus {

class Sleepers {
 public:
  // Wakes what the contacts of this step wake. The state is only read: a step that fails has woken
  // nobody.
  void FindSleepers(const SceneState& state, std::span<const ContactInput> contacts,
                    std::span<const JointLink> joints = {});

  // Bodies that sleep in this step.
  bool asleep(size_t row) const { return asleep_[row] != 0; }
  int64_t count() const { return count_; }
  // Whether no dynamic body is awake in this step.
  bool all_asleep() const { return awake_count_ == 0; }

  // Takes back what free motion did to them.
  void StopFreeMotion(std::span<Vec3> free_linear, std::span<Vec3> free_angular) const;

  // Counts the steps in which bodies were still, and lets islands fall asleep: stops their bodies,
  // whose velocities after contact these are.
  void FallAsleep(WorkerArena& workers, const SceneState& state, std::span<Vec3> linear_velocities,
                  std::span<Vec3> angular_velocities);
  // Puts the bodies that sleep after this step back to where they were at its start.
  void KeepPoses(const BodyStore& bodies, std::span<Vec3> positions,
                 std::span<Quat> orientations) const;
  // BodyStore::still_steps of the state after the step.
  std::vector<uint32_t>& still_steps() { return still_steps_; }

 private:
  void FindAwakeIslands(const BodyStore& bodies, std::span<const ContactInput> contacts,
                        std::span<const JointLink> joints);

  Islands islands_;
  std::vector<uint8_t> awake_;     // by first row of an island: it holds an awake body
  std::vector<uint8_t> restless_;  // likewise: it may not fall asleep
  std::vector<uint8_t> asleep_;    // by row
  int64_t count_ = 0;
  int64_t awake_count_ = 0;  // dynamic bodies
  std::vector<uint32_t> still_steps_;
};

// Bodies on which one that leaves has acted wake, and count from 0 again where they were awake: one
// that was still beside a restless neighbour would sleep in the first step of its fall. Contacts
// that carried nothing held nobody up. `leaving` has one entry a row.
void WakeNeighbours(std::span<const uint8_t> leaving, SceneState& state);

}  // namespace talus
