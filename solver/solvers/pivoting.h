// The solver of the laws with flat sides (solver/lcp) on the contacts and joints of a step: one
// complementarity problem with bounds, solved by pivoting.
//
// Pivots end at the solution to rounding, or not at all: Lemke's method on a ray, equations that
// repeat each other, more rows than it takes. Then the best of what block pivoting came by is
// taken, nothing if that is no better, and the outcome says which. A pivot counts as a sweep. Time
// grows with the third power of the contacts, memory with the second, on one thread: hence a limit
// (docs/decisions/0015).
//
// The residual is that of the law's own rows, multipliers included (lcp::Certify), in the metric
// of all solvers: S_ii = A_ii^(−½). It certifies the polygon or box that was asked for and says
// nothing of how far that is from Coulomb's law.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/contact_problem.h"
#include "solver/parallel/worker_arena.h"
#include "solver/scene/solver_settings.h"
#include "solver/solvers/contact_solver.h"
#include "solver/solvers/iterate.h"
#include "solver/solvers/solve_report.h"

namespace talus {

// Contacts and joints of one step, and their rows. A mechanism that starts each step from the last
// one's impulses takes a few to some hundreds of pivots; a thousand on a heap that falls apart take
// seconds.
inline constexpr size_t kMaxPivotedBlocks = 128;
inline constexpr size_t kMaxPivotedRows = 3360;

// How many contacts and joints pivoting takes: a polygon has 6 rows and 2 for each of its facets.
size_t FindMostPivoted(const SolverSettings& settings);

// RESOURCE_EXHAUSTED where a step has more.
absl::Status CheckPivotedCount(const SolverSettings& settings, size_t contact_count,
                               size_t joint_count);
// Likewise where Lemke's method is to solve it alone, and has more rows than it takes.
absl::Status CheckLemkeRows(const SolverSettings& settings, const DynamicsView& bodies,
                            std::span<const ContactInput> contacts,
                            std::span<const JointRows> joints);

// γ of the last step in the frames of this one, six a contact and then six a joint: zero where
// nothing was carried. Turned with the normals (contact/friction_memory.h) where `warm` has those
// of the last step, else projected as it stands in world axes.
Eigen::VectorXd FindOldImpulse(const DynamicsView& bodies, std::span<const ContactInput> contacts,
                               const WarmStart& warm, double time_step_s,
                               const JointSolution& joints);

struct PivotedStep {
  SolveReport report;
  // By contact, bits as in ContactSolution::modes: those that the law's own bounds tell, and which
  // of them are at their limit.
  std::vector<uint8_t> friction_bits;
  std::vector<uint8_t> bits_at_limit;
};

struct PivotedLaw {
  const SolverSettings& settings;
  double time_step_s = 0.0;
  // As above: what bristles remember, and where block pivots start but under a polygon. May be
  // empty.
  const Eigen::VectorXd& old_impulse;
  bool residual_history = false;
  std::function<bool()> stop = {};  // SolveLimits::stop
};

// Sets the impulses of contacts and joints. `problem` is made from `bodies`, in doubles; the
// velocities of the iterate are those without impulses, and stay so.
PivotedStep SolveByPivots(WorkerArena& workers, const ContactProblem& problem,
                          const DynamicsView& bodies, const PivotedLaw& law,
                          const JointSolution& joints, Iterate& iterate);

}  // namespace talus
