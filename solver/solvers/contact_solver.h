// The one door to all contact solvers: contacts and warm impulses in, impulses, velocities and a
// certificate out.
//
// Assembles the problem and runs the algorithm the settings name. Owns the scratch memory, so that
// a steady sequence of solves allocates nothing. Results are the same bits for any number of
// workers.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "solver/constraints/joint_rows.h"
#include "solver/contact/compliance.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/wrench.h"
#include "solver/parallel/worker_arena.h"
#include "solver/scene/solver_settings.h"
#include "solver/solvers/contact_solution.h"
#include "solver/solvers/solve_report.h"

namespace talus {

// By body row: without contact in, with contact out, m/s and rad/s. May be the velocities that the
// DynamicsView shows.
struct SolvedVelocities {
  std::span<Vec3> linear;
  std::span<Vec3> angular;
};

// The joints that are solved with the contacts: their impulses are a start when the solve begins
// and the answer when it ends, on body B and along the axes of the rows.
struct JointSolution {
  std::span<const JointRows> rows;
  std::span<Wrench> impulses;
};

// What is asked of a solve beside its answer.
struct SolveOptions {
  bool residual_history = false;
  std::function<bool()> stop = {};  // SolveLimits::stop
};

class ContactSolver {
 public:
  ContactSolver();
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

  // The warm impulses are re-projected; their entries may be the slots of `solution`, which are
  // written when they have been read. Wall-clock seconds spent assembling are added to
  // *assembly_seconds when it is not null. The settings must be a valid (law, solver) pair
  // (scene/validate.h), one that holds joints where there are some; there must not be more contacts
  // than pivoting.h or matrix_step.h take where they are asked for. `compliance`: by contact, or
  // none where all are rigid.
  SolveReport Solve(WorkerArena& workers, const DynamicsView& bodies,
                    std::span<const ContactInput> contacts, const WarmStart& warm,
                    const AssemblySettings& assembly, const SolverSettings& settings,
                    const SolveOptions& options, const SolvedVelocities& velocities,
                    ContactSolution& solution, double* assembly_seconds,
                    const JointSolution& joints = {},
                    std::span<const ContactCompliance> compliance = {}, bool assembled = false);
  // The first part of Solve, which may be done ahead of it: the answer of the last one stays. A
  // Solve of the same may follow with `assembled`; any Solve may without. `joined`: there will be
  // joints.
  void Assemble(WorkerArena& workers, const DynamicsView& bodies,
                std::span<const ContactInput> contacts, const WarmStart& warm,
                const AssemblySettings& assembly, const SolverSettings& settings, bool joined,
                std::span<const ContactCompliance> compliance = {});

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace talus
