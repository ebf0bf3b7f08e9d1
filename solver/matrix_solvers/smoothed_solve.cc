#include "solver/matrix_solvers/smoothed_solve.h"

#include <algorithm>

#include "solver/matrix_solvers/block_map.h"
#include "solver/matrix_solvers/gauss_seidel.h"
#include "solver/matrix_solvers/smoothed_path.h"
#include "solver/matrix_solvers/smoothing_newton.h"

namespace talus::matrix {
namespace {

constexpr int32_t kNewtonFactorizations = 80;
constexpr int32_t kNearbyPatience = 4;  // factorisations near by that lead no nearer
constexpr double kPathCompliances[] = {0.0, 3e-3};
constexpr int32_t kPathFactorizations = 300;  // of each, at least
constexpr int32_t kPathFactorizationsPerBlock = 3;

struct Patience {
  int32_t most = 0;     // factorisations
  int32_t near_by = 0;  // of them, which lead no nearer once it is not far away
};

// One of the ways. `impulse` goes to the nearest below `least`.
template <typename Way>
bool Walk(Way way, const Patience& patience, const ScaledProblem& problem, SolveTrack& track,
          int32_t& factorization_count, double& least, Eigen::VectorXd& impulse) {
  int32_t known = 0;
  int32_t nearest = patience.most;
  while (known < std::min(patience.most, nearest + patience.near_by) && way.Advance()) {
    const int32_t cost = std::min(std::max(way.factorization_count() - known, 1),
                                  track.limit() - track.sweep_count());
    known += cost;
    factorization_count += cost;
    const Eigen::VectorXd point = MapBlocks(problem, ContactLaw::kNcp, way.impulse());
    if (track.Note(point, VelocityOf(problem, point), cost)) return false;
    track.Excuse();
    if (track.residual() > least) continue;
    least = track.residual();
    nearest = known;
    impulse = point;
  }
  // Where a stop or the limit has ended it. Factorisations that came to nothing count only there.
  const int32_t idle = std::max(way.factorization_count() - known, 0);
  return !track.Note(impulse, VelocityOf(problem, impulse), track.HasRoomFor(idle + 1) ? 0 : idle);
}

}  // namespace

bool SolveSmoothed(const ScaledProblem& problem, const SolveLimits& limits, SolveTrack& track,
                   int32_t& factorization_count, Eigen::VectorXd& impulse) {
  const auto rest = [&] {
    return FactorLimits{.max_factorizations = track.limit() - track.sweep_count(),
                        .stop = limits.stop};
  };
  double least = kFarAway;
  if (!Walk(SmoothingNewton(problem, track.best(), rest()),
            {kNewtonFactorizations, kNearbyPatience}, problem, track, factorization_count, least,
            impulse)) {
    return false;
  }
  const auto most =
      std::max(kPathFactorizations,
               std::min(kPathFactorizationsPerBlock * static_cast<int32_t>(problem.block_count()),
                        (track.limit() - track.sweep_count()) / 2));
  for (const double compliance : kPathCompliances) {
    if (least < kFarAway) break;
    if (!Walk(SmoothedPath(problem, compliance, rest()), {most, most}, problem, track,
              factorization_count, least, impulse)) {
      return false;
    }
  }
  return true;
}

}  // namespace talus::matrix
