#include "solver/matrix_solvers/proximal_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "solver/matrix_solvers/block_map.h"
#include "solver/matrix_solvers/block_steps.h"
#include "solver/matrix_solvers/gauss_seidel.h"
#include "solver/matrix_solvers/interior_point.h"
#include "solver/matrix_solvers/proximal_system.h"
#include "solver/matrix_solvers/smoothed_solve.h"

namespace talus::matrix {
namespace {

constexpr double kSweepsReach = 1e-3;  // residual to which sweeps lead
constexpr int32_t kSweepsBetween = 10;
constexpr int kNewtonSteps = 30;
constexpr double kInexact = 0.2;
constexpr double kRoundOff = 1e-15;  // of each number that x is made of
constexpr double kShortest = 1e-1;   // share of a step
constexpr double kArmijo = 1e-4;
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

constexpr double kImprovement = 0.95;
constexpr int32_t kRoundOffPatience = 100;  // factorisations
constexpr double kNearNoise = 10.0;
constexpr double kDrowned = 3.0;  // times round-off
constexpr double kStep = 0.5;     // of a residual that proximal steps reduce

// ‖|W'| |γ| + |q'|‖: what the sums that make up a velocity come to without their signs.
double MagnitudeOf(const ScaledProblem& problem, const Eigen::VectorXd& impulse) {
  const Eigen::VectorXd magnitude = impulse.cwiseAbs();
  double squares = 0.0;
  for (size_t i = 0; i < problem.block_count(); ++i) {
    Wrench sum = problem.free_rows.segment<6>(6 * static_cast<Eigen::Index>(i)).cwiseAbs();
    const std::span<const uint32_t> columns = problem.delassus.Columns(i);
    const std::span<const Matrix6> blocks = problem.delassus.Blocks(i);
    for (size_t k = 0; k < columns.size(); ++k) {
      sum += blocks[k].cwiseAbs() * magnitude.segment<6>(6 * static_cast<Eigen::Index>(columns[k]));
    }
    squares += sum.squaredNorm();
  }
  return std::sqrt(squares);
}

// One proximal step on its way.
class ProximalStep {
 public:
  ProximalStep(const ScaledProblem& problem, ContactLaw law, double kappa,
               const Eigen::VectorXd& center)
      : problem_(problem), law_(law), kappa_(kappa), center_(center) {
    MoveTo(center);
    // x is the difference of numbers κ times as large as those that W' γ and q' are sums of.
    noise_ = kRoundOff * (center.norm() + kappa * MagnitudeOf(problem, center));
  }

  const Eigen::VectorXd& target() const { return target_; }  // P(x)

  void MoveTo(const Eigen::VectorXd& impulse) {
    impulse_ = impulse;
    const Eigen::VectorXd product = problem_.delassus.Multiply(impulse);
    moved_ = center_ - kappa_ * (product + problem_.free_rows);
    target_.resize(moved_.size());
    double envelope = 0.0;
    for (size_t i = 0; i < problem_.block_count(); ++i) {
      const auto at = 6 * static_cast<Eigen::Index>(i);
      const Wrench x = moved_.segment<6>(at);
      const Wrench y = MapBlock(problem_.laws[i], law_, x);
      target_.segment<6>(at) = y;
      envelope += x.squaredNorm() - (x - y).squaredNorm();
    }
    const Eigen::VectorXd rest = impulse_ - target_;
    length_ = std::sqrt(std::max(0.0, rest.dot(problem_.delassus.Multiply(rest))));
    merit_ =
        law_ == ContactLaw::kCcp ? 0.5 * impulse.dot(product) + 0.5 * envelope / kappa_ : length_;
  }

  // ‖γ − P(x)‖ in W', zero where the step is solved; it is as good as solved where this is small
  // beside what the step itself leaves, ‖γ̄ − P(x)‖ / κ.
  double length() const { return length_; }
  bool IsSolved(double floor) const {
    return length_ <= std::max(floor, kInexact * (center_ - target_).norm() / kappa_);
  }

  // Only a smaller κ would show more digits of it.
  bool IsRoundOff() const { return length_ <= noise_; }
  // Whether `distance`, that of its target from the answer of the whole problem, may be that too.
  bool Drowns(double distance) const { return IsRoundOff() && distance <= kDrowned * noise_; }

  // One Newton step; false where it leads nowhere.
  bool Improve(ProximalSystem& system, int32_t& factorization_count) {
    std::vector<Matrix6> derivatives;
    derivatives.reserve(problem_.block_count());
    for (size_t i = 0; i < problem_.block_count(); ++i) {
      derivatives.push_back(MapDerivative(problem_.laws[i], law_,
                                          moved_.segment<6>(6 * static_cast<Eigen::Index>(i))));
    }
    ++factorization_count;
    if (!system.Factorize(derivatives, kappa_)) return false;
    const Eigen::VectorXd from = impulse_;
    const Eigen::VectorXd rest = target_ - impulse_;
    Eigen::VectorXd direction;
    if (!system.Solve(rest, direction)) return false;
    const double merit = merit_;
    const double length = length_;
    // θ falls at the rate (γ − P(x))ᵀ W' δ, the length by itself.
    const double slope =
        law_ == ContactLaw::kCcp ? -rest.dot(problem_.delassus.Multiply(direction)) : -length_;
    for (double share = 1.0; share > kShortest; share *= 0.5) {
      MoveTo(from + share * direction);
      // Near the solution θ has no digits left to tell by; the length has.
      if (merit_ <= merit + kArmijo * share * slope) return true;
      if (length_ <= (1.0 - kArmijo * share) * length) return true;
    }
    MoveTo(from);
    return false;
  }

 private:
  const ScaledProblem& problem_;
  ContactLaw law_;
  double kappa_;
  Eigen::VectorXd center_;   // γ̄
  Eigen::VectorXd impulse_;  // γ
  Eigen::VectorXd moved_;    // x
  Eigen::VectorXd target_;   // P(x)
  double length_ = 0.0;
  double merit_ = 0.0;
  double noise_ = 0.0;  // what round-off leaves of a length
};

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
    if (track.best_residual() < kImprovement * mark_) {
      mark_ = track.best_residual();
      mark_sweep_ = track.sweep_count();
      return false;
    }
    if (track.sweep_count() - mark_sweep_ < kRoundOffPatience) return false;
    mark_sweep_ = track.sweep_count();
    const double noise = kRoundOff * MagnitudeOf(problem_, track.best());
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
  const auto step = [&](size_t i, const Wrench& gamma, const Wrench& velocity) {
    const Matrix6& w = problem.delassus.Diagonal(i);
    return ncp ? StepAlartCurnier(problem.laws[i], w, gamma, velocity)
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
    ProximalStep proximal(problem, limits.law, way.kappa(), impulse);
    const int32_t before = factorization_count_;
    for (int i = 0; i < kNewtonSteps && !proximal.IsSolved(floor) && !proximal.IsRoundOff(); ++i) {
      if (!proximal.Improve(system, factorization_count_)) break;
    }
    const bool solved = proximal.IsSolved(floor);
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
