// Random bodies on two contact points: balls in a trough, and bodies of no symmetry at all. A load
// is a part that presses the body onto both surfaces and a part that may make it slip, times a
// factor: a case is kept away from the boundaries by giving the same answer for factors around 1.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/trough_ball.h"
#include "solver/analysis/two_point_body.h"
#include "solver/base/math.h"
#include "solver/base/random.h"
#include "tests/support/regularized_pair.h"

namespace talus::testing {

inline Vec3 RandomVector(Random& random) {
  const double x = random.Uniform(-1.0, 1.0);
  const double y = random.Uniform(-1.0, 1.0);
  return Vec3(x, y, random.Uniform(-1.0, 1.0));
}

struct LoadedBody {
  TwoPointBody body;  // under the pressing part
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();

  TwoPointBody Loaded(double factor) const {
    TwoPointBody loaded = body;
    loaded.force_world_n += factor * force;
    loaded.torque_world_n_m += factor * torque;
    return loaded;
  }
};

// A ball of any size under torques somewhat beyond those it rolls under.
struct LoadedBall {
  TroughBall ball;
  Vec3 load;

  TwoPointBody Loaded(double factor) const { return MakeTroughBody(ball, factor * load); }
};

inline LoadedBall RandomBallInTrough(Random& random) {
  LoadedBall loaded;
  TroughBall& ball = loaded.ball;
  ball.mass_kg = random.Uniform(0.1, 10.0);
  ball.radius_m = random.Uniform(0.01, 1.0);
  ball.sliding_friction = random.Uniform(0.1, 0.6);
  ball.inertia_ratio = random.Uniform(0.2, 2.0 / 3.0);
  const double k = ball.sliding_friction * (1.0 + 2.0 * ball.inertia_ratio);
  loaded.load = 1.3 * k * RandomVector(random);
  const double tip = FindTroughMarks(ball.sliding_friction, 1.0).m_z3;
  loaded.load.z() = std::min(1.2 * tip, 0.9) * random.Uniform(-1.0, 1.0);
  return loaded;
}

// The inertia of a box turned any way; contacts below the centre of mass in directions up to some
// 50° from the vertical, off their normals, with a friction each. Nothing where the line through
// the contacts is within 17° of a normal or the contacts are close together.
inline std::optional<LoadedBody> RandomTwoPointBody(Random& random) {
  LoadedBody loaded;
  TwoPointBody& body = loaded.body;
  body.mass_kg = random.Uniform(0.5, 5.0);
  const double size = random.Uniform(0.1, 1.0);
  const Vec3 squares = (size * (Vec3::Constant(0.6) + 0.4 * RandomVector(random))).cwiseAbs2();
  const Vec3 principal = body.mass_kg / 5.0 * (squares.sum() * Vec3::Ones() - squares);
  const Mat3 turn = ExpRotation(3.0 * RandomVector(random)).toRotationMatrix();
  const Mat3 inertia = turn * principal.asDiagonal() * turn.transpose();
  body.inertia_world_kg_m2 = 0.5 * (inertia + inertia.transpose());
  const double press = body.mass_kg * 9.81;
  for (TwoPointContact& contact : body.contacts) {
    contact.normal_world = (Vec3::UnitZ() + 0.8 * RandomVector(random)).normalized();
    contact.arm_world_m = size * (0.5 * RandomVector(random) - 0.7 * contact.normal_world);
    contact.sliding_friction = random.Uniform(0.1, 0.7);
    const Vec3 force = -random.Uniform(0.5, 1.0) * press * contact.normal_world;
    body.force_world_n += force;
    body.torque_world_n_m += contact.arm_world_m.cross(force);
  }
  const double part = random.Uniform(0.1, 1.0);
  loaded.force = 0.6 * press * part * RandomVector(random);
  loaded.torque = 0.6 * press * size * part * RandomVector(random);

  const Vec3 apart = body.contacts[0].arm_world_m - body.contacts[1].arm_world_m;
  if (apart.norm() < 0.3 * size) return std::nullopt;
  for (const TwoPointContact& contact : body.contacts) {
    if (apart.normalized().cross(contact.normal_world).norm() < 0.3) return std::nullopt;
  }
  return loaded;
}

// The answer for the load and for 5 % less and more of it, where all three are one state and the
// same; nothing where they are not, or where normal forces are not unique.
template <typename Loaded>
std::optional<ContactPairState> FindClearState(const Loaded& loaded) {
  std::optional<ContactPairState> clear;
  for (const double factor : {0.95, 1.0, 1.05}) {
    const auto transition = AnalyzeRollingTransition(loaded.Loaded(factor));
    if (!transition.ok() || !transition->normal_forces_unique) return std::nullopt;
    std::optional<ContactPairState> state;
    for (size_t i = 0; i < kContactPairStates; ++i) {
      if (!transition->realizable[i]) continue;
      if (state.has_value()) return std::nullopt;
      state = static_cast<ContactPairState>(i);
    }
    if (!state.has_value() || (clear.has_value() && *clear != *state)) return std::nullopt;
    clear = state;
  }
  return clear;
}

// The state that smooth friction comes to from `start`; nothing where a normal force was negative
// on the way. After 2000 units of time slip speeds have grown at 2·10⁻³ or faster, and those of
// points that roll at 4·10⁻⁴ at most and falling, over 600 cases; where one is between, ten times
// the time tells.
inline std::optional<ContactPairState> FindRegularizedState(const TwoPointBody& body,
                                                            const RegularizedPair::Slips& start = {
                                                                Vec3::Zero(), Vec3::Zero()}) {
  constexpr double kMostRolling = 4e-4;
  constexpr double kLeastSlipping = 2e-3;
  RegularizedPair::Outcome outcome = RegularizedPair(body).Run(2000.0, start);
  const bool unclear = std::ranges::any_of(
      outcome.rates, [](double rate) { return rate > kMostRolling && rate < kLeastSlipping; });
  if (unclear) outcome = RegularizedPair(body).Run(20000.0, start);
  if (outcome.opened) return std::nullopt;
  return static_cast<ContactPairState>((outcome.rates[0] > kMostRolling ? 2 : 0) +
                                       (outcome.rates[1] > kMostRolling ? 1 : 0));
}

// Slip velocities that a rigid body may have while both its contacts stay closed, of any direction,
// 100 times the regularization velocity.
inline RegularizedPair::Slips RandomKick(const TwoPointBody& body, Random& random) {
  const double arm = body.contacts[0].arm_world_m.norm();
  Eigen::VectorXd motion(6);  // velocity, and angular velocity times an arm
  motion.head<3>() = RandomVector(random);
  motion.tail<3>() = RandomVector(random);
  Eigen::MatrixXd opening(2, 6);
  for (int i = 0; i < 2; ++i) {
    const TwoPointContact& contact = body.contacts[static_cast<size_t>(i)];
    const Vec3 turning = contact.arm_world_m.cross(contact.normal_world) / arm;
    opening.row(i).head<3>() = contact.normal_world.transpose();
    opening.row(i).tail<3>() = turning.transpose();
  }
  motion -= opening.transpose() * (opening * opening.transpose()).inverse() * (opening * motion);
  const Vec3 velocity = motion.head<3>();
  const Vec3 spin = motion.tail<3>() / arm;
  RegularizedPair::Slips kick;
  for (size_t i = 0; i < 2; ++i) kick[i] = velocity + spin.cross(body.contacts[i].arm_world_m);
  const double size = std::hypot(kick[0].norm(), kick[1].norm());
  for (Vec3& slip : kick) slip *= 100.0 / size;
  return kick;
}

struct SmoothAnswer {
  bool agrees = false;
  bool retried = false;  // from kicks, as a body at rest stayed so
};

// Whether smooth friction goes over to `state` from rest; nothing where a normal force was negative
// on the way. Where rolling is statically possible and slipping realizable both may last, and a
// body at rest may stay so: then one of a hundred random kicks, of which the analysis knows
// nothing, must bring it there.
inline std::optional<SmoothAnswer> CompareWithSmoothFriction(const TwoPointBody& body,
                                                             ContactPairState state) {
  constexpr int kKicks = 100;
  const auto from_rest = FindRegularizedState(body);
  if (!from_rest.has_value()) return std::nullopt;
  if (*from_rest == state) return SmoothAnswer{true, false};
  if (*from_rest != ContactPairState::kRollRoll ||
      !AnalyzeRollingTransition(body)->rolling_statically_possible) {
    return SmoothAnswer{};
  }
  Random random(1);
  for (int kick = 0; kick < kKicks; ++kick) {
    if (FindRegularizedState(body, RandomKick(body, random)) == state)
      return SmoothAnswer{true, true};
  }
  return SmoothAnswer{false, true};
}

}  // namespace talus::testing
