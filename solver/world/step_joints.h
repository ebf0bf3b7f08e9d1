// The joints of one step: their rows, and the impulses that a solve starts from and comes to.
//
// Joints whose bodies sleep keep what they carried. Filled in the order of the state; the memory is
// kept from step to step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/constraints/joint_rows.h"
#include "solver/solvers/contact_solver.h"
#include "solver/state/scene_state.h"
#include "solver/world/joint_links.h"
#include "solver/world/sleepers.h"

namespace talus {

class StepJoints {
 public:
  // Links and rows of all joints, at the poses of the state.
  void Assemble(const SceneState& state);
  // Those that are to be solved: all, or where `sleepers` are given those of awake bodies. Their
  // impulses are those of the state, or zero where solves start cold.
  JointSolution Start(const SceneState& state, const Sleepers* sleepers);

  std::span<const JointLink> links() const { return links_; }
  bool AllFinite() const;
  // Hands the impulses on to the state.
  void Keep(SceneState& state) const;

 private:
  std::vector<JointLink> links_;
  std::vector<JointRows> rows_;
  std::vector<uint32_t> places_;  // of the solved ones in the state
  std::vector<Wrench> impulses_;
};

}  // namespace talus
