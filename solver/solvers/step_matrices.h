// The problem of a step as matrices: contacts and then joints, a block each
// (matrix/matrix_problem.h), and what stands between its scaled impulses and those of the step, in
// SI.
//
// Forming them asks for memory in every step, on one thread. The problem must hold its blocks in
// doubles.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/constraints/joint_rows.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/contact_problem.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/matrix/scaled_problem.h"
#include "solver/parallel/worker_arena.h"
#include "solver/solvers/contact_solver.h"
#include "solver/solvers/iterate.h"

namespace talus {

size_t CountContacts(const BlockLayout& layout);

// M⁻¹ of a body in world axes, zero where it does not move by forces.
Matrix6 InverseMassOf(const DynamicsView& bodies, uint32_t body);

// DelassusCount of contacts and joints.
uint64_t CountDelassusBlocks(const DynamicsView& bodies, std::span<const ContactInput> contacts,
                             std::span<const JointRows> joints);

// The problem of contacts and joints, in this order. `bodies` is what the contact problem was made
// from, `free_motion` their velocities without impulses.
MatrixProblem FormStepMatrices(const ContactProblem& problem, const DynamicsView& bodies,
                               std::span<const JointRows> joints,
                               std::span<const BodyMotion> free_motion);

class StepMatrices {
 public:
  // Of contacts alone, and of contacts and joints. Of the iterate its mobilities are read.
  StepMatrices(WorkerArena& workers, const ContactProblem& problem, const Iterate& iterate);
  StepMatrices(WorkerArena& workers, const ContactProblem& problem, const DynamicsView& bodies,
               const JointSolution& joints, const Iterate& iterate);

  // γ' from the impulses of the contacts and of the joints, and back; velocities stay as they are.
  void TakeImpulses(const Iterate& iterate);
  void GiveImpulses(Iterate& iterate) const;

  const ScaledProblem& scaled() const { return scaled_; }
  Eigen::VectorXd& impulse() { return impulse_; }  // γ'

 private:
  // γ' and γ of one block; rows without mobility have step and impulse zero.
  void Scale(size_t block, const Wrench& impulse);
  Wrench Unscale(size_t block) const;

  WorkerArena& workers_;
  const ContactProblem& problem_;
  JointSolution joints_;
  ScaledProblem scaled_;
  Eigen::VectorXd impulse_;
};

}  // namespace talus
