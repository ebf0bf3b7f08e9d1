#include "solver/matrix_solvers/proximal_newton.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/matrix_solvers/block_steps.h"
#include "solver/matrix_solvers/gauss_seidel.h"
#include "solver/matrix_solvers/proximal_system.h"

namespace talus::matrix {
namespace {

constexpr double kSweepsReach = 1e-3;  // residual to which sweeps lead
constexpr int32_t kFirstSweeps = 250;
constexpr int32_t kSweepsBetween = 10;
constexpr int kNewtonSteps = 30;
constexpr double kInexact = 0.2;
constexpr double kRoundOff = 1e-15;  // of a length, beside ‖x‖
constexpr double kShortest = 1e-1;   // share of a step
constexpr double kArmijo = 1e-4;
constexpr double kFirstKappa = 1e2;
constexpr double kSmallestKappa = 1.0;
constexpr double kLargestKappa = 1e9;

// One proximal step on its way.
class ProximalStep {
 public:
  ProximalStep(const ScaledProblem& problem, ContactLaw law, double kappa,
               const Eigen::VectorXd& center)
      : problem_(problem), law_(law), kappa_(kappa), center_(center) {
    MoveTo(center);
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
      const Wrench y = Map(problem_.laws[i], x);
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
  bool IsRoundOff() const { return length_ <= kRoundOff * moved_.norm(); }

  // One Newton step; false where it leads nowhere.
  bool Improve(ProximalSystem& system, int32_t& factorization_count) {
    std::vector<Matrix6> derivatives;
    derivatives.reserve(problem_.block_count());
    for (size_t i = 0; i < problem_.block_count(); ++i) {
      derivatives.push_back(
          Derivative(problem_.laws[i], moved_.segment<6>(6 * static_cast<Eigen::Index>(i))));
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
  Wrench Map(const BlockLaw& law, const Wrench& x) const {
    if (law.kind == BlockLawKind::kBounds || law_ == ContactLaw::kCcp) return ProjectBlock(law, x);
    return ClipToCone(law.cone, x);
  }
  Matrix6 Derivative(const BlockLaw& law, const Wrench& x) const {
    if (law.kind == BlockLawKind::kContact) {
      return law_ == ContactLaw::kCcp ? ProjectionDerivative(law.cone, x)
                                      : ClippingDerivative(law.cone, x);
    }
    const auto inside = (x.array() > law.lower.array()) && (x.array() < law.upper.array());
    return inside.cast<double>().matrix().asDiagonal();
  }

  const ScaledProblem& problem_;
  ContactLaw law_;
  double kappa_;
  Eigen::VectorXd center_;   // γ̄
  Eigen::VectorXd impulse_;  // γ
  Eigen::VectorXd moved_;    // x
  Eigen::VectorXd target_;   // P(x)
  double length_ = 0.0;
  double merit_ = 0.0;
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
      !SweepWithMomentum(problem, step, reach, kFirstSweeps, track, impulse)) {
    return track.Finish(impulse);
  }
  ProximalSystem system(problem);
  double kappa = kFirstKappa;
  const double floor = 0.1 * limits.tolerance * problem.free_scale;
  while (true) {
    ProximalStep proximal(problem, limits.law, kappa, impulse);
    const int32_t before = factorization_count_;
    for (int i = 0; i < kNewtonSteps && !proximal.IsSolved(floor) && !proximal.IsRoundOff(); ++i) {
      if (!proximal.Improve(system, factorization_count_)) break;
    }
    const bool solved = proximal.IsSolved(floor);
    const int32_t cost = std::max(factorization_count_ - before, 1);
    if (track.Note(proximal.target(), VelocityOf(problem, proximal.target()), cost)) break;
    // Impulses that stress nothing but each other may have far to go before the residual falls.
    if (solved || proximal.IsRoundOff()) impulse = proximal.target();
    kappa *= solved ? 3.0 : 0.3;
    kappa = std::min(kappa, kLargestKappa);
    if (kappa >= kSmallestKappa) continue;
    kappa = kFirstKappa;
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
