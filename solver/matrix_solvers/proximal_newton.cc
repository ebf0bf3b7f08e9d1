#include "solver/matrix_solvers/proximal_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "solver/matrix_solvers/alart_curnier_step.h"
#include "solver/matrix_solvers/block_steps.h"
#include "solver/matrix_solvers/gauss_seidel.h"
#include "solver/matrix_solvers/interior_point.h"
#include "solver/matrix_solvers/proximal_step.h"
#include "solver/matrix_solvers/proximal_system.h"
#include "solver/matrix_solvers/smoothed_solve.h"

namespace talus::matrix {
namespace {

constexpr double kSweepsReach = 1e-3;  // residual to which sweeps lead
constexpr int32_t kSweepsBetween = 10;
constexpr int kNewtonSteps = 30;
constexpr double kFirstKappa = 1e2;
constexpr double kSmallestKappa = 1.0;
constexpr double kLargestKappa = 1e9;
constexpr double kLonger = 3.0;   // κ after a step that was solved
constexpr double kShorter = 0.3;  // after one that was not

constexpr int32_t kFactorizationsBefore = 40;  // of proximal steps, before other ways
constexpr int32_t kFactorizationsFirst = 4;    // the same where smoothed problems may end the solve
constexpr double kInteriorWorth = 1e-7;        // a residual that the middle does not come below
constexpr double kSlowly = 0.1;  // share of a residual left since the last look at the way
constexpr int32_t kFactorizationsBetween = 120;  // those looks
constexpr int kInteriorSteps = 80;
constexpr double kShortStep = 0.02;
constexpr int kMostShortSteps = 3;
constexpr double kOtherLaw = 0.1;

constexpr int32_t kRoundOffPatience = 100;  // factorisations
constexpr double kNearNoise = 25.0;
constexpr double kStep = 0.5;  // of a residual that proximal steps reduce

// From the middle of all cones, until the equations there have no digits left: notes each of its
// steps. False: the track has ended.
bool SolveFromMiddle(const ScaledProblem& problem, const SolveLimits& limits, SolveTrack& track,
                     int32_t& factorization_count) {
  InteriorPoint middle(problem, {.stop = limits.stop});
  int short_steps = 0;
  for (int i = 0; i < kInteriorSteps && short_steps < kMostShortSteps; ++i) {
    ++factorization_count;
    if (middle.Advance() < kShortStep) ++short_steps;
    if (!middle.impulse().allFinite()) return true;
    const Eigen::VectorXd velocity = VelocityOf(problem, middle.impulse());
    if (track.Note(middle.impulse(), velocity, 1)) return false;
    // What is left is the difference of the laws, where contacts move.
    const double convex = ComputeResidual(problem, ContactLaw::kCcp, middle.impulse(), velocity);
    if (limits.law == ContactLaw::kNcp && convex < kOtherLaw * track.residual()) return true;
  }
  return true;
}

// How far proximal steps have come and what they may do next.
class ProximalWay {
 public:
  ProximalWay(const ScaledProblem& problem, const SolveLimits& limits)
      : problem_(problem),
        path_(limits.law == ContactLaw::kNcp && problem.free_scale > 0.0),
        interior_(InteriorPoint::Applies(problem)),
        tolerance_(limits.tolerance),
        next_look_(limits.tolerance > kFarAway ? kFactorizationsFirst : kFactorizationsBefore) {}

  double kappa() const { return kappa_; }
  void Restart() { kappa_ = kFirstKappa; }
  // False: the steps have become too short to lead anywhere.
  bool Note(bool longer) {
    kappa_ = std::min(kappa_ * (longer ? kLonger : kShorter), kLargestKappa);
    return kappa_ >= kSmallestKappa;
  }
  // Each once, where the first proximal steps did not do; the path where they are slow later, too.
  bool TakesPath(int32_t factorization_count, double residual) {
    if (!path_ || factorization_count < next_look_) return false;
    next_look_ = factorization_count + kFactorizationsBetween;
    path_ = residual <= kFarAway && residual <= kSlowly * looked_residual_;
    looked_residual_ = residual;
    return !path_;
  }
  bool TakesMiddle(int32_t factorization_count, double residual) {
    const bool now = interior_ && factorization_count >= kFactorizationsBefore &&
                     residual > std::max(kInteriorWorth, tolerance_);
    if (now) interior_ = false;
    return now;
  }
  // Whether the best impulses have a residual of round-off, and nothing has improved it for long.
  bool IsAtRoundOff(const SolveTrack& track) {
    if (track.best_residual() < SolveTrack::kImprovement * mark_) {
      mark_ = track.best_residual();
      mark_sweep_ = track.sweep_count();
      return false;
    }
    if (track.sweep_count() - mark_sweep_ < kRoundOffPatience) return false;
    mark_sweep_ = track.sweep_count();
    const double noise = kRoundOff * MagnitudesOf(problem_, track.best()).norm();
    return track.best_residual() * problem_.free_scale <= kNearNoise * noise;
  }

 private:
  const ScaledProblem& problem_;
  bool path_;
  bool interior_;
  double tolerance_;
  double kappa_ = kFirstKappa;
  int32_t next_look_;
  double looked_residual_ = std::numeric_limits<double>::infinity();
  double mark_ = std::numeric_limits<double>::infinity();
  int32_t mark_sweep_ = 0;
};

}  // namespace

SolveReport ProximalNewton::Solve(const ScaledProblem& problem, const SolveLimits& limits,
                                  Eigen::VectorXd& impulse) {
  factorization_count_ = 0;
  SolveTrack track(problem, limits, patience_);
  const bool ncp = limits.law == ContactLaw::kNcp;
  const std::vector<double> lengths =
      ncp ? std::vector<double>() : ProjectedStepLengths(problem, 1.0);
  const std::vector<PartSteps> steps = ncp ? PartStepsOfBlocks(problem) : std::vector<PartSteps>();
  const auto step = [&](size_t i, const Wrench& gamma, const Wrench& velocity) {
    const Matrix6& w = problem.delassus.Diagonal(i);
    return ncp ? StepAlartCurnier(problem.laws[i], w, steps[i], gamma, velocity)
               : StepProjected(problem.laws[i], w, lengths[i], gamma, velocity);
  };
  const double reach = std::max(kSweepsReach, limits.tolerance);
  if (track.Note(impulse, VelocityOf(problem, impulse), 0)) return track.Finish(impulse);
  if (track.residual() > reach &&
      !SweepWithMomentum(problem, step, reach, first_sweeps_, track, impulse)) {
    return track.Finish(impulse);
  }
  ProximalSystem system(problem, {.stop = limits.stop});
  ProximalWay way(problem, limits);
  const double floor = 0.1 * limits.tolerance * problem.free_scale;
  while (true) {
    ProximalStep proximal(problem, limits.law, way.kappa(), impulse, floor);
    const int32_t before = factorization_count_;
    for (int i = 0; i < kNewtonSteps && !proximal.IsSolved() && !proximal.IsRoundOff(); ++i) {
      if (i > 0 && track.IsOver(factorization_count_ - before)) break;
      if (!proximal.Improve(system, factorization_count_)) break;
    }
    const bool solved = proximal.IsSolved();
    const int32_t cost = std::max(factorization_count_ - before, 1);
    const double former = track.best_residual();
    if (track.Note(proximal.target(), VelocityOf(problem, proximal.target()), cost)) break;
    const bool drowns =
        track.residual() > kStep * former && proximal.Drowns(track.residual() * problem.free_scale);
    // Impulses that stress nothing but each other may have far to go before the residual falls.
    if (solved || proximal.IsRoundOff()) impulse = proximal.target();
    if (system.is_too_large() || way.IsAtRoundOff(track)) {
      track.Stall();
      break;
    }
    const double known = track.best_residual();
    if (way.TakesPath(factorization_count_, known)) {
      if (!SolveSmoothed(problem, limits, track, factorization_count_, impulse)) break;
      if (track.best_residual() < known) impulse = track.best();
      way.Restart();
      continue;
    }
    if (way.TakesMiddle(factorization_count_, track.best_residual()) &&
        !SolveFromMiddle(problem, limits, track, factorization_count_)) {
      break;
    }
    if (track.best_residual() < known) {
      impulse = track.best();
      way.Restart();
      continue;
    }
    if (way.Note(solved && !drowns)) continue;
    way.Restart();
    bool over = false;
    for (int i = 0; i < kSweepsBetween && !over; ++i) {
      SweepOnce(problem, step, impulse);
      over = track.Note(impulse, VelocityOf(problem, impulse), 1);
    }
    if (over) break;
  }
  return track.Finish(impulse);
}

}  // namespace talus::matrix
