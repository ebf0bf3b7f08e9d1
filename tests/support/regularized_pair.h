// An oracle for rolling transitions that knows nothing of limit directions: friction that is smooth
// in the slip velocity, F = −μ N s / √(1 + |s|²), integrated from rest.
//
// s is the slip velocity over a small regularization velocity ε, and time runs in ε / (acceleration
// scale), so that what is integrated is the limit ε → 0: geometry and load stay what they are while
// slip velocities cross the slope of the friction law. A point that rolls keeps a finite s, one
// that slips gets away at a constant rate. Both contacts are kept closed; only a body at rest is
// taken.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "solver/analysis/two_point_body.h"
#include "solver/base/math.h"

namespace talus::testing {

class RegularizedPair {
 public:
  using Slips = std::array<Vec3, 2>;

  explicit RegularizedPair(const TwoPointBody& body) {
    const Mat3 inverse_inertia = body.inertia_world_kg_m2.inverse();
    for (int i = 0; i < 2; ++i) {
      const Vec3& arm = body.contacts[i].arm_world_m;
      normals_[i] = body.contacts[i].normal_world;
      friction_[i] = body.contacts[i].sliding_friction;
      free_[i] =
          body.force_world_n / body.mass_kg + (inverse_inertia * body.torque_world_n_m).cross(arm);
      scale_ = std::max(scale_, free_[i].norm());
      for (int by = 0; by < 2; ++by) {
        for (int axis = 0; axis < 3; ++axis) {
          const Vec3 force = Vec3::Unit(axis);
          const Vec3 turn = inverse_inertia * body.contacts[by].arm_world_m.cross(force);
          response_[i][by].col(axis) = force / body.mass_kg + turn.cross(arm);
        }
      }
    }
    for (Vec3& free : free_) free /= scale_;
    // A fifth of the largest step at which this method is stable (2.8 over the rate), for the
    // normal forces without friction; they may grow.
    const Slips still = {Vec3::Zero(), Vec3::Zero()};
    const double normal_sum = Respond(still).normal_forces.cwiseAbs().sum();
    double rate = 0.0;
    for (int i = 0; i < 2; ++i) {
      rate = std::max(rate, 2.0 * friction_[i] * response_[i][i].norm() * normal_sum);
    }
    step_ = std::min(0.25, 0.6 / rate);
  }

  // Rates of the two slip speeds in units of the acceleration scale, over the second half of
  // `duration`; and whether a normal force was ever negative.
  struct Outcome {
    std::array<double, 2> rates;
    bool opened = false;
  };
  Outcome Run(double duration, const Slips& start = {Vec3::Zero(), Vec3::Zero()}) {
    Slips slips = start;
    const int steps = static_cast<int>(duration / step_);
    Outcome outcome;
    for (int step = 0; step < steps; ++step) {
      if (step == steps / 2) outcome.rates = {slips[0].norm(), slips[1].norm()};
      slips = Advance(slips);
    }
    const double half = (steps - steps / 2) * step_;
    for (int i = 0; i < 2; ++i) outcome.rates[i] = (slips[i].norm() - outcome.rates[i]) / half;
    outcome.opened = opened_;
    return outcome;
  }

 private:
  struct Response {
    Eigen::Vector2d normal_forces;
    Slips rates;
  };
  Response Respond(const Slips& slips) const {
    Vec3 moves[2][2];  // of a point for a unit of normal force at a point, friction included
    Eigen::Matrix2d matrix;
    Eigen::Vector2d target;
    for (int by = 0; by < 2; ++by) {
      const Vec3 force =
          normals_[by] - friction_[by] / std::sqrt(1.0 + slips[by].squaredNorm()) * slips[by];
      for (int at = 0; at < 2; ++at) {
        moves[at][by] = response_[at][by] * force;
        matrix(at, by) = normals_[at].dot(moves[at][by]);
      }
      target(by) = -normals_[by].dot(free_[by]);
    }
    Response response{matrix.inverse() * target, free_};
    for (int at = 0; at < 2; ++at) {
      for (int by = 0; by < 2; ++by) {
        response.rates[at] += response.normal_forces(by) * moves[at][by];
      }
    }
    return response;
  }
  Slips Rates(const Slips& slips) {
    const Response response = Respond(slips);
    opened_ = opened_ || !(response.normal_forces.minCoeff() > 0.0);
    return response.rates;
  }
  static Slips Sum(const Slips& slips, double factor, const Slips& rates) {
    return {slips[0] + factor * rates[0], slips[1] + factor * rates[1]};
  }
  // The classical Runge-Kutta step.
  Slips Advance(const Slips& slips) {
    const Slips first = Rates(slips);
    const Slips second = Rates(Sum(slips, 0.5 * step_, first));
    const Slips third = Rates(Sum(slips, 0.5 * step_, second));
    const Slips fourth = Rates(Sum(slips, step_, third));
    Slips next = Sum(slips, step_ / 6.0, first);
    next = Sum(next, step_ / 3.0, second);
    next = Sum(next, step_ / 3.0, third);
    return Sum(next, step_ / 6.0, fourth);
  }

  std::array<Vec3, 2> normals_;
  std::array<double, 2> friction_;
  std::array<std::array<Mat3, 2>, 2> response_;  // acceleration [of a point][a force at a point]
  std::array<Vec3, 2> free_;                     // over the scale
  double scale_ = 0.0;
  double step_ = 0.0;
  bool opened_ = false;
};

}  // namespace talus::testing
