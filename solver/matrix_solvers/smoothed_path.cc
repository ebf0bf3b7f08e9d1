#include "solver/matrix_solvers/smoothed_path.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {
namespace {

constexpr double kFirst = 3.0;  // τ
constexpr double kLast = 1e-5;
constexpr double kBack = 30.0;  // it has gone back beyond its beginning
constexpr int kBeginningSteps = 30;
constexpr double kBegun = 1e-9;  // of the driving velocity
constexpr double kShortestShare = 1e-3;
constexpr int kCorrections = 5;
constexpr double kCorrected = 1e-3;  // of ν in each contact, and of steps shorter than one
constexpr double kContacts = 200.0;  // beyond as many all together
constexpr double kGrowth = 2.0;      // of what a correction should lessen
constexpr double kFarthest = 1.0;    // change of log τ in a correction
constexpr double kDifference = 1e-6;
constexpr double kLonger = 1.6;
constexpr double kShorter = 0.4;
constexpr int kEasily = 3;  // corrections after which the next step is longer
constexpr double kLongestStep = 3.0;
constexpr double kShortestStep = 1e-6;

}  // namespace

SmoothedPath::SmoothedPath(const ScaledProblem& problem, double compliance, FactorLimits limits)
    : problem_(problem),
      compliance_(compliance),
      typical_(problem.free_scale / std::sqrt(static_cast<double>(problem.block_count()))),
      system_(problem, std::move(limits)),
      maps_(problem.block_count()),
      inverses_(problem.block_count()) {}

double SmoothedPath::rounding() const { return std::exp(at_.place); }

Eigen::VectorXd SmoothedPath::RestOf(const Point& point, bool keep) {
  const double tau = std::exp(point.place);
  const Eigen::VectorXd moved =
      (1.0 - compliance_ * tau) * point.impulse - VelocityOf(problem_, point.impulse);
  Eigen::VectorXd rest = point.impulse;
  for (size_t i = 0; i < maps_.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const SmoothedMap map = MapSmoothly(problem_.laws[i], moved.segment<6>(at), tau * typical_);
    rest.segment<6>(at) -= map.value;
    if (keep) maps_[i] = map;
  }
  return rest;
}

bool SmoothedPath::Factorize(double place) {
  std::vector<Matrix6> derivatives(maps_.size());
  const double compliance = compliance_ * std::exp(place);
  for (size_t i = 0; i < maps_.size(); ++i) {
    inverses_[i] = (maps_[i].complement + compliance * maps_[i].derivative).inverse();
    derivatives[i] = inverses_[i] * maps_[i].derivative;
    if (!derivatives[i].allFinite()) return false;
  }
  ++factorization_count_;
  return system_.Factorize(derivatives, 1.0);
}

bool SmoothedPath::Solve(const Eigen::VectorXd& right, Eigen::VectorXd& solution) const {
  Eigen::VectorXd own(right.size());
  for (size_t i = 0; i < inverses_.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    own.segment<6>(at) = inverses_[i] * right.segment<6>(at);
  }
  return system_.Solve(own, solution) && solution.allFinite();
}

bool SmoothedPath::Begin() {
  at_.place = std::log(kFirst);
  at_.impulse = Eigen::VectorXd::Zero(problem_.free_rows.size());
  for (size_t i = 0; i < maps_.size(); ++i) {
    if (problem_.laws[i].kind != BlockLawKind::kContact) continue;
    at_.impulse[6 * static_cast<Eigen::Index>(i)] = kFirst * typical_;
  }
  for (int i = 0; i < kBeginningSteps; ++i) {
    const Eigen::VectorXd rest = RestOf(at_, true);
    if (rest.norm() <= kBegun * problem_.free_scale) {
      tangent_ = {Eigen::VectorXd::Zero(rest.size()), -1.0};
      return TurnHere();
    }
    Eigen::VectorXd direction;
    if (!Factorize(at_.place) || !Solve(-rest, direction)) return false;
    const Eigen::VectorXd from = at_.impulse;
    for (double share = 1.0; share > kShortestShare; share *= 0.5) {
      at_.impulse = from + share * direction;
      if (RestOf(at_, false).norm() < rest.norm()) break;
    }
  }
  return false;
}

// The tangent is (slope, 1) or its opposite, whichever goes on.
void SmoothedPath::TurnTo(const Eigen::VectorXd& slope) {
  weight_ = 1.0 / at_.impulse.squaredNorm();
  const double length = std::sqrt(weight_ * slope.squaredNorm() + 1.0);
  const double along = weight_ * slope.dot(tangent_.impulse) + tangent_.place;
  const double sign = along < 0.0 ? -1.0 : 1.0;
  tangent_ = {slope * (sign / length), sign / length};
}

bool SmoothedPath::TurnHere() {
  const Eigen::VectorXd rest = RestOf(at_, true);
  Point ahead = at_;
  ahead.place += kDifference;
  Eigen::VectorXd slope;
  if (!Factorize(at_.place) || !Solve((rest - RestOf(ahead, false)) / kDifference, slope)) {
    return false;
  }
  TurnTo(slope);
  return true;
}

// Newton's method in the plane across the tangent; the tangent turns where it had to.
bool SmoothedPath::Correct(Point& point) {
  double last = 0.0;
  Eigen::VectorXd slope;
  for (int i = 0; i <= kCorrections; ++i) {
    const Eigen::VectorXd rest = RestOf(point, true);
    const double length = rest.norm();
    // What is left here is left across the curve at the next step: where steps are short because
    // the curve turns, it would be more than they can put right.
    const double left = kCorrected * std::min(1.0, length_) * std::exp(point.place) * typical_;
    if (length <= left * std::sqrt(std::min(static_cast<double>(maps_.size()), kContacts))) {
      at_ = point;
      if (slope.size() > 0) TurnTo(slope);
      if (i <= kEasily) length_ = std::min(kLonger * length_, kLongestStep);
      return true;
    }
    if (i == kCorrections || (i > 0 && !(length <= kGrowth * last))) return false;
    last = length;
    Point ahead = point;
    ahead.place += kDifference;
    const Eigen::VectorXd change = (rest - RestOf(ahead, false)) / kDifference;
    Eigen::VectorXd back;
    if (!Factorize(point.place) || !Solve(change, slope) || !Solve(-rest, back)) return false;
    const double turn = weight_ * tangent_.impulse.dot(slope) + tangent_.place;
    const double step = -weight_ * tangent_.impulse.dot(back) / turn;
    if (!(std::abs(step) <= kFarthest)) return false;
    point.impulse += back + step * slope;
    point.place += step;
  }
  return false;
}

bool SmoothedPath::Advance() {
  if (!begun_) return begun_ = Begin();
  if (at_.place <= std::log(kLast) || at_.place >= std::log(kBack)) return false;
  for (bool turned = false; length_ > kShortestStep; length_ *= kShorter) {
    Point point{at_.impulse + length_ * tangent_.impulse, at_.place + length_ * tangent_.place};
    if (Correct(point)) return true;
    // The tangent is that of the last correction, near by.
    if (!turned && !TurnHere()) return false;
    turned = true;
  }
  return false;
}

}  // namespace talus::matrix
