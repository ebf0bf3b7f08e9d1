// The one door to all contact solvers: contacts and warm impulses in, impulses, velocities and a
// certificate out.
//
// Assembles the problem, colours it, runs the algorithm the settings name and hands the result back
// in the caller's contact order. Owns the scratch memory, so that a steady sequence of solves
// allocates nothing. Results are the same bits for any number of workers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solver/contact/contact_input.h"
#include "solver/contact/wrench.h"
#include "solver/parallel/worker_arena.h"
#include "solver/scene/solver_settings.h"
#include "solver/solvers/solve_report.h"

namespace talus {

// The answer, by contact in the caller's order and by body row.
struct ContactSolution {
  std::vector<ContactImpulse>
      impulses;  // also the warm start: what is in here when Solve is called, re-projected
  std::vector<Wrench> wrenches;  // in the contact frame
  std::vector<uint32_t> modes;   // bits: 1 closed, 2 sliding, 4 rolling, 8 spinning
  std::vector<Vec3>
      linear_velocities;  // after contact, m/s; rows without contacts keep their free velocity
  std::vector<Vec3> angular_velocities;  // rad/s
};

class ContactSolver {
 public:
  ContactSolver();
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

  // `solution.impulses` must have one entry a contact (zero for a cold start). Wall-clock seconds
  // spent assembling are added to *assembly_seconds when it is not null. The settings must be a
  // valid (law, solver) pair (scene/validate.h).
  SolveReport Solve(WorkerArena& workers, const DynamicsView& bodies,
                    std::span<const ContactInput> contacts, const AssemblySettings& assembly,
                    const SolverSettings& settings, bool residual_history,
                    ContactSolution& solution, double* assembly_seconds);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace talus
