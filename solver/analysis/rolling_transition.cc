#include "solver/analysis/rolling_transition.h"

#include <Eigen/LU>
#include <array>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "solver/analysis/limit_directions.h"
#include "solver/analysis/pair_dynamics.h"
#include "solver/analysis/pair_statics.h"
#include "solver/base/status.h"

namespace talus {
namespace {

// A motion in which contact `slipping` starts to slip along `sign` t₁ and the other one goes on
// rolling, if there is one: the check of Filippov for the state. t₁ is the only direction, as along
// the line the points move together.
std::optional<PairMotion> FindOneSlip(const PairDynamics& pair, int slipping, double sign) {
  const int rolling = 1 - slipping;
  const double angle = sign > 0.0 ? 0.0 : std::numbers::pi;
  // Unknowns: friction where it rolls and, along t₁, where it slips; the latter opposes slipping by
  // μ of a normal force that friction adds to.
  const std::array<int, 3> rows = {3 * rolling + 1, 3 * rolling + 2, 3 * slipping + 1};
  const std::array<int, 3> columns = {2 * rolling, 2 * rolling + 1, 2 * slipping};
  const double coefficient = sign * pair.friction[slipping];
  const double balance = pair.mobility(rows[2], rows[2]);  // of the last row with the others, 1/kg
  Eigen::Matrix3d matrix = pair.mobility(rows, rows);
  matrix.row(2) = balance * coefficient * pair.normal_response(slipping, columns);
  matrix(2, 2) += balance;
  Vec3 target = -pair.free_rows(rows);
  target(2) = -balance * coefficient * pair.free_normal_forces(slipping);
  const Eigen::FullPivLU<Eigen::Matrix3d> factor(matrix);
  if (!factor.isInvertible()) return std::nullopt;
  const Vec3 friction = factor.solve(target);
  const Eigen::Vector2d normal_forces =
      pair.free_normal_forces + pair.normal_response(Eigen::all, columns) * friction;
  if (!(normal_forces.minCoeff() > 0.0)) return std::nullopt;
  const double asked = friction.head<2>().norm();
  const double rounding = kFrictionTolerance * friction.cwiseAbs().maxCoeff();
  if (asked - rounding > pair.friction[rolling] * normal_forces(rolling)) return std::nullopt;
  const double rate =
      sign * (pair.free_rows(rows[2]) + (pair.mobility(rows[2], rows) * friction).value());
  if (!(rate > 0.0)) return std::nullopt;

  PairRows forces;
  forces.segment<3>(3 * rolling) << normal_forces(rolling), friction.head<2>();
  forces.segment<3>(3 * slipping) = normal_forces(slipping) * pair.SlipForce(slipping, angle);
  PairMotion motion = pair.Motion(
      slipping == 0 ? ContactPairState::kSlipRoll : ContactPairState::kRollSlip, forces);
  motion.growth = rate / pair.scale;
  return motion;
}

// What leaves rolling: all that grows, or of growth that may be rounding the fastest.
class Departures {
 public:
  explicit Departures(double least_growth) : least_growth_(least_growth) {}

  void Consider(const PairMotion& motion) {
    if (motion.growth > least_growth_) {
      growing_.push_back(motion);
    } else if (motion.growth > (slow_ ? slow_->growth : 0.0)) {
      slow_ = motion;
    }
  }
  const std::vector<PairMotion>& growing() const { return growing_; }
  const std::optional<PairMotion>& slow() const { return slow_; }

 private:
  double least_growth_;
  std::vector<PairMotion> growing_;
  std::optional<PairMotion> slow_;
};

void AddMotion(RollingTransition& transition, const PairMotion& motion) {
  transition.realizable[static_cast<size_t>(motion.state)] = true;
  transition.motions.push_back(motion);
}

}  // namespace

absl::StatusOr<RollingTransition> AnalyzeRollingTransition(const TwoPointBody& body) {
  TALUS_RETURN_IF_ERROR(ValidateTwoPointBody(body));
  TALUS_ASSIGN_OR_RETURN(const PairDynamics pair, AssemblePairDynamics(body));
  RollingTransition transition;
  const PairStatics statics = FindPairStatics(pair);
  transition.rolling_statically_possible = statics.possible;
  transition.least_line_force_n = statics.least_line_force_n;
  transition.largest_line_force_n = statics.largest_line_force_n;

  Departures departures(LeastGrowth(pair));
  for (const int slipping : {1, 0}) {
    for (const double sign : {1.0, -1.0}) {
      const auto motion = FindOneSlip(pair, slipping, sign);
      if (motion.has_value()) departures.Consider(*motion);
    }
  }
  LimitDirectionSearch search = FindLimitDirections(pair);
  transition.normal_forces_unique = search.normal_forces_unique;
  transition.limit_directions = std::move(search.directions);
  for (const LimitDirection& direction : transition.limit_directions) {
    departures.Consider(direction.motion);
  }
  for (const PairMotion& motion : departures.growing()) AddMotion(transition, motion);
  if (!transition.motions.empty()) return transition;
  if (statics.possible) {
    AddMotion(transition, pair.Motion(ContactPairState::kRollRoll, statics.forces));
  } else if (departures.slow().has_value()) {
    // No forces hold both points, so that what grows slowly grows.
    AddMotion(transition, *departures.slow());
  }
  return transition;
}

}  // namespace talus
