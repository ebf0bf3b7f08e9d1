#include "solver/matrix_solvers/default_solver.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "solver/matrix_solvers/alart_curnier.h"
#include "solver/matrix_solvers/gauss_seidel.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "solver/matrix_solvers/psor.h"

namespace talus::matrix {
namespace {

// Before these the way of sweeps says nothing: momentum has to find its cap.
constexpr int32_t kFirstForecast = 40;
// Newton's method takes some tens of factorisations where it works at all.
constexpr double kFactorizations = 20.0;
constexpr int32_t kNewtonPatience = 500;
constexpr int32_t kMostRounds = 5;
// Less than this in a round of both is no progress.
constexpr double kProgress = 0.95;

// Arithmetic, in multiplications.
constexpr double kSmallRows = 120.0;         // dense up to these, as direct_factor.cc has it
constexpr double kDenseOfCube = 1.0 / 24.0;  // of n³ / 6, four at a time
constexpr double kFillOfSquare = 0.4;        // sparse: of n², on heaps of 60 to 3000 spheres
constexpr double kOfEntry = 300.0;           // sorting and adding up a block

// What one solve comes to, algorithm after algorithm.
class Relay {
 public:
  explicit Relay(const SolveLimits& limits) : limits_(limits) {
    total_.residual = std::numeric_limits<double>::infinity();
  }

  SolveLimits Rest() const {
    SolveLimits rest = limits_;
    rest.max_sweeps -= total_.sweep_count;
    return rest;
  }
  // True: it is over.
  bool Add(SolveReport report) {
    total_.sweep_count += report.sweep_count;
    total_.residual = report.residual;
    total_.outcome = report.outcome;
    total_.residual_history.insert(total_.residual_history.end(), report.residual_history.begin(),
                                   report.residual_history.end());
    return total_.outcome != SolveOutcome::kStalled;
  }
  double residual() const { return total_.residual; }
  SolveReport Finish() { return std::move(total_); }

 private:
  const SolveLimits& limits_;
  SolveReport total_;
};

}  // namespace

double FactorizationSweeps(const ScaledProblem& problem) {
  const auto stored = static_cast<double>(problem.delassus.stored_count());
  if (stored == 0.0) return 0.0;  // no blocks
  const double rows = problem.velocities ? static_cast<double>(problem.velocities->mass.rows())
                                         : 6.0 * static_cast<double>(problem.block_count());
  const double dense = kDenseOfCube * rows * rows * rows;
  const double factor = rows <= kSmallRows ? dense : std::min(dense, kFillOfSquare * rows * rows);
  return (factor + kOfEntry * stored) / (36.0 * stored);
}

SolveReport DefaultSolver::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                                 Eigen::VectorXd& impulse) {
  newton_count_ = 0;
  Relay relay(limits);
  const double horizon = kFactorizations * FactorizationSweeps(problem);
  SweepForecast forecast{.first = kFirstForecast,
                         .horizon = static_cast<int32_t>(std::min(horizon, 1e6))};
  int32_t patience = kNewtonPatience;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds; ++round) {
    if (relay.Add(limits.law == ContactLaw::kNcp
                      ? AlartCurnier(forecast).Solve(problem, relay.Rest(), impulse)
                      : Psor({}, true, forecast).Solve(problem, relay.Rest(), impulse))) {
      break;
    }
    ++newton_count_;
    if (relay.Add(ProximalNewton(patience, 0).Solve(problem, relay.Rest(), impulse))) break;
    if (relay.residual() > kProgress * before) break;
    before = relay.residual();
    forecast.first *= 4;
    patience *= 2;
  }
  return relay.Finish();
}

}  // namespace talus::matrix
