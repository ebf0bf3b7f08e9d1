#include "solver/solvers/newton.h"

#include <algorithm>
#include <optional>

#include "solver/base/limits.h"
#include "solver/matrix/contact_matrices.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "solver/solvers/step_matrices.h"

namespace talus {
namespace {

// Sweeps cost little beside factorisations: they go on as long as they get anywhere.
constexpr int32_t kMostSweeps = 4000;
constexpr int32_t kPatience = 4000;  // of factorisations
// Newton's method may circle where sweeps lead out, and the other way round: they take turns, from
// the residual that sweeps come near to down to one that they do not hold.
constexpr double kNear = 1e-3;
constexpr double kSweepsHold = 1e-6;
constexpr int32_t kFirstTurn = 30;  // factorisations; each next turn has twice as many

// `more`, which went on from where `report` ended.
void Append(SolveReport more, SolveReport& report) {
  more.sweep_count += report.sweep_count;
  more.residual_history.insert(more.residual_history.begin(), report.residual_history.begin(),
                               report.residual_history.end());
  report = std::move(more);
}

// From the impulses of the iterate to the best of a turn of Newton's method, velocities as well.
SolveReport TakeTurn(WorkerArena& workers, const ContactProblem& problem, const SolveLimits& limits,
                     StepMatrices& matrices, Iterate& iterate) {
  matrices.TakeImpulses(iterate);
  SolveReport report =
      matrix::ProximalNewton(kPatience, 0).Solve(matrices.scaled(), limits, matrices.impulse());
  matrices.GiveImpulses(iterate);
  ComputeVelocities(workers, problem, iterate);
  return report;
}

}  // namespace

SolveReport Newton::Sweep(WorkerArena& workers, const ContactProblem& problem,
                          const SolveLimits& limits, Iterate& iterate) {
  return limits.law == ContactLaw::kNcp
             ? alart_curnier_.Solve(workers, problem, limits, iterate)
             : accelerated_psor_.Solve(workers, problem, limits, iterate);
}

SolveReport Newton::Solve(WorkerArena& workers, const ContactProblem& problem,
                          const SolveLimits& limits, Iterate& iterate) {
  if (CountContacts(problem.layout) > matrix::ProximalNewton::kMostContacts) {
    return Sweep(workers, problem, limits, iterate);
  }
  SolveLimits turn = limits;
  const auto allow_sweeps = [&](int32_t left) {
    turn.max_sweeps = std::min(left / 2 + 1, kMostSweeps);
  };
  allow_sweeps(limits.max_sweeps);
  SolveReport report = Sweep(workers, problem, turn, iterate);
  const auto is_over = [&] {
    return report.residual <= limits.tolerance || report.sweep_count >= limits.max_sweeps ||
           limits.IsStopped();
  };
  if (is_over()) return report;

  turn.cold_start = false;
  double best_residual = report.residual;
  best_ = iterate.impulse;
  const auto note = [&](SolveReport more) {
    Append(std::move(more), report);
    if (report.residual < best_residual) {
      best_residual = report.residual;
      best_ = iterate.impulse;
    }
  };
  std::optional<StepMatrices> matrices;
  if (CountDelassusBlocks(problem, iterate.motion) <= kMaxDelassusBlocks) {
    matrices.emplace(workers, problem, iterate);
  } else {
    // Thousands touch one body: W would take more memory than it may.
    turn.max_sweeps = limits.max_sweeps - report.sweep_count;
    note(Sweep(workers, problem, turn, iterate));
  }
  for (int32_t factorizations = kFirstTurn; matrices; factorizations *= 2) {
    const bool in_turns = report.residual < kNear && report.residual >= kSweepsHold;
    const int32_t left = limits.max_sweeps - report.sweep_count;
    turn.max_sweeps = in_turns ? std::min(left, factorizations) : left;
    note(TakeTurn(workers, problem, turn, *matrices, iterate));
    if (is_over() || report.outcome == SolveOutcome::kStalled) break;
    if (report.residual < kSweepsHold) continue;
    allow_sweeps(limits.max_sweeps - report.sweep_count);
    note(Sweep(workers, problem, turn, iterate));
    if (is_over()) break;
  }
  if (report.residual > best_residual) {
    report.residual = best_residual;
    iterate.impulse = best_;
  }
  return report;
}

}  // namespace talus
