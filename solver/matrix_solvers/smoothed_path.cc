#include "solver/matrix_solvers/smoothed_path.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace talus::matrix {
namespace {

constexpr double kLastTau = 1e-5;  // τ
constexpr double kBack = 30.0;     // it has gone back beyond its beginning
constexpr int kBeginningSteps = 30;
constexpr double kBegun = 1e-9;  // of the driving velocity
constexpr double kShortestShare = 1e-3;
constexpr int kCorrections = 5;
constexpr double kCorrected = 1e-3;        // of ν in each contact, and of steps shorter than one
constexpr double kContacts = 200.0;        // beyond as many all together
constexpr double kCorrectionGrowth = 2.0;  // of what a correction should lessen
constexpr double kFarthest = 1.0;          // change of log τ in a correction
constexpr double kDifference = 1e-6;
constexpr double kLongerStep = 1.6;
constexpr double kShorterStep = 0.4;
constexpr int kEasily = 3;  // corrections after which the next step is longer
constexpr double kLongestStep = 3.0;
constexpr double kShortestStep = 1e-6;

}  // namespace

SmoothedPath::SmoothedPath(const ScaledProblem& problem, double compliance, FactorLimits limits)
    : system_(problem, compliance, std::move(limits)),
      begun_at_(kBegun * problem.free_scale),
      contact_count_(std::min(static_cast<double>(problem.block_count()), kContacts)) {}

double SmoothedPath::rounding() const { return std::exp(at_.place); }

Eigen::VectorXd SmoothedPath::RestOf(const Point& point, bool keep) {
  return system_.RestOf(point.impulse, std::exp(point.place), keep);
}

bool SmoothedPath::Begin() {
  at_ = {system_.Beginning(SmoothedSystem::kFirst), std::log(SmoothedSystem::kFirst)};
  for (int i = 0; i < kBeginningSteps; ++i) {
    const Eigen::VectorXd rest = RestOf(at_, true);
    if (rest.norm() <= begun_at_) {
      tangent_ = {Eigen::VectorXd::Zero(rest.size()), -1.0};
      return TurnHere();
    }
    Eigen::VectorXd direction;
    if (!system_.Factorize() || !system_.Solve(-rest, direction)) return false;
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
  if (!system_.Factorize() || !system_.Solve((rest - RestOf(ahead, false)) / kDifference, slope)) {
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
    const double left =
        kCorrected * std::min(1.0, length_) * std::exp(point.place) * system_.typical_impulse();
    if (length <= left * std::sqrt(contact_count_)) {
      at_ = point;
      if (slope.size() > 0) TurnTo(slope);
      if (i <= kEasily) length_ = std::min(kLongerStep * length_, kLongestStep);
      return true;
    }
    if (i == kCorrections || (i > 0 && !(length <= kCorrectionGrowth * last))) return false;
    last = length;
    Point ahead = point;
    ahead.place += kDifference;
    const Eigen::VectorXd change = (rest - RestOf(ahead, false)) / kDifference;
    Eigen::VectorXd back;
    if (!system_.Factorize() || !system_.Solve(change, slope) || !system_.Solve(-rest, back))
      return false;
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
  if (at_.place <= std::log(kLastTau) || at_.place >= std::log(kBack)) return false;
  for (bool turned = false; length_ > kShortestStep; length_ *= kShorterStep) {
    Point point{at_.impulse + length_ * tangent_.impulse, at_.place + length_ * tangent_.place};
    if (Correct(point)) return true;
    // The tangent is that of the last correction, near by.
    if (!turned && !TurnHere()) return false;
    turned = true;
  }
  return false;
}

}  // namespace talus::matrix
