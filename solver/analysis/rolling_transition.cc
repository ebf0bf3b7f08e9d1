#include "solver/analysis/rolling_transition.h"

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

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
  // Unknowns: the three forces where it rolls, the normal force where it slips.
  Eigen::Matrix<double, 6, 4> effect;
  effect.leftCols<3>() = pair.mobility.middleCols<3>(3 * rolling);
  effect.col(3) = pair.mobility.middleCols<3>(3 * slipping) * pair.SlipForce(slipping, angle);
  Eigen::Matrix4d matrix;
  Eigen::Vector4d target;
  matrix.topRows<3>() = effect.middleRows<3>(3 * rolling);
  matrix.row(3) = effect.row(3 * slipping);
  target.head<3>() = -pair.free_rows.segment<3>(3 * rolling);
  target(3) = -pair.free_rows(3 * slipping);
  const Eigen::FullPivLU<Eigen::Matrix4d> factor(matrix);
  if (!factor.isInvertible()) return std::nullopt;
  const Eigen::Vector4d unknowns = factor.solve(target);
  const double rolling_normal = unknowns(0);
  const double slipping_normal = unknowns(3);
  if (!(rolling_normal > 0.0) || !(slipping_normal > 0.0)) return std::nullopt;
  if (unknowns.segment<2>(1).norm() > pair.friction[rolling] * rolling_normal) return std::nullopt;

  PairRows forces;
  forces.segment<3>(3 * rolling) = unknowns.head<3>();
  forces.segment<3>(3 * slipping) = slipping_normal * pair.SlipForce(slipping, angle);
  const double rate =
      sign * (pair.free_rows(3 * slipping + 1) + effect.row(3 * slipping + 1) * unknowns);
  if (!(rate > kMinGrowth * pair.scale)) return std::nullopt;
  PairMotion motion = pair.Motion(
      slipping == 0 ? ContactPairState::kSlipRoll : ContactPairState::kRollSlip, forces);
  motion.growth = rate / pair.scale;
  return motion;
}

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

  for (const int slipping : {1, 0}) {
    for (const double sign : {1.0, -1.0}) {
      const auto motion = FindOneSlip(pair, slipping, sign);
      if (motion.has_value()) AddMotion(transition, *motion);
    }
  }
  LimitDirectionSearch search = FindLimitDirections(pair);
  transition.normal_forces_unique = search.normal_forces_unique;
  transition.limit_directions = std::move(search.directions);
  for (const LimitDirection& direction : transition.limit_directions) {
    if (direction.repelling) AddMotion(transition, direction.motion);
  }
  if (transition.motions.empty() && statics.possible) {
    AddMotion(transition, pair.Motion(ContactPairState::kRollRoll, statics.forces));
  }
  return transition;
}

}  // namespace talus
