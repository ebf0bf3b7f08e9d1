#include "solver/matrix_solvers/barzilai_borwein.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "solver/matrix_solvers/solve_track.h"

namespace talus::matrix {
namespace {

constexpr size_t kMemory = 10;  // values of f that a new one is compared with
constexpr double kSpectralArmijo = 1e-4;
constexpr double kShortestSpectralStep = 1e-10;
constexpr double kLongest = 1e10;
constexpr int32_t kProducts = 2;  // with W, of an iteration

}  // namespace

SolveReport BarzilaiBorwein::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                                   Eigen::VectorXd& impulse) const {
  SolveTrack track(problem, limits);
  impulse = ProjectBlocks(problem, impulse);
  Eigen::VectorXd gradient = MultiplyDelassus(problem, impulse) + problem.free_rows;
  double value = 0.5 * impulse.dot(gradient + problem.free_rows);
  std::deque<double> values;
  double length = 1.0;
  bool by_curvature = false;  // the two lengths take turns
  while (!track.Note(impulse, gradient, std::min(kProducts, track.limit()))) {
    if (!track.HasRoomFor(kProducts)) {
      track.EndAtLimit(0);
      break;
    }
    values.push_back(value);
    if (values.size() > kMemory) values.pop_front();
    const Eigen::VectorXd target = ProjectBlocks(problem, impulse - length * gradient);
    const Eigen::VectorXd step = target - impulse;
    const Eigen::VectorXd change = MultiplyDelassus(problem, step);
    const double slope = gradient.dot(step);
    const double curvature = step.dot(change);
    if (!(slope < 0.0)) {
      track.Stall();
      break;
    }
    const auto along = [&](double share) {
      return value + share * (slope + 0.5 * share * curvature);
    };
    double share = curvature > 0.0 ? std::min(1.0, -slope / curvature) : 1.0;
    const double bound = *std::ranges::max_element(values);
    // The whole step where f lets it pass, else to where f is least.
    if (along(1.0) <= bound + kSpectralArmijo * slope) share = 1.0;
    impulse += share * step;
    // Anew, so that what is certified is not what rounding has made of it on the way.
    gradient = MultiplyDelassus(problem, impulse) + problem.free_rows;
    value = 0.5 * impulse.dot(gradient + problem.free_rows);
    by_curvature = !by_curvature;
    const double next =
        by_curvature ? curvature / change.squaredNorm() : step.squaredNorm() / curvature;
    length = std::isfinite(next) ? std::clamp(next, kShortestSpectralStep, kLongest) : kLongest;
  }
  return track.Finish(impulse);
}

}  // namespace talus::matrix
