// One joint as a user describes it: what may move between a frame on body A and a frame on body B.
//
// The joint frame is that of body A; its axes are those the six freedoms are counted along: three
// translations of B's origin and three rotations of B, both as seen from A. Each is free, locked,
// limited, driven or held by friction. So a weld locks six, a hinge all but one rotation, a guide
// all but one translation, a ball the translations; a motor drives one axis and leaves the others
// free, a seal brakes one. Several joints may connect the same two bodies.
//
// What a joint does to B is counted positive along its axes; A, unless it is the world, receives
// the opposite at the same point.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "solver/base/math.h"

namespace talus {

enum class AxisMode : uint8_t {
  kFree = 0,
  kLocked = 1,    // held at `position`, rigidly or by a spring
  kLimited = 2,   // between `lower` and `upper`
  kMotor = 3,     // driven to `velocity` with at most `max_force`
  kFriction = 4,  // braked with at most `max_force`: a seal
};

// In m, m/s and N along an axis, in rad, rad/s and N m about it. What a mode does not name is zero.
struct JointAxis {
  AxisMode mode = AxisMode::kFree;
  double position = 0.0;
  double compliance = 0.0;  // of a spring, m/N or rad/(N m), >= 0; 0: rigid
  double lower = 0.0;       // < upper
  double upper = 0.0;
  double velocity = 0.0;
  double max_force = 0.0;  // >= 0; that of a motor may be infinite

  static JointAxis Free() { return {}; }
  static JointAxis Locked(double position = 0.0) {
    return {.mode = AxisMode::kLocked, .position = position};
  }
  static JointAxis Spring(double position, double stiffness) {
    return {.mode = AxisMode::kLocked, .position = position, .compliance = 1.0 / stiffness};
  }
  static JointAxis Limited(double lower, double upper) {
    return {.mode = AxisMode::kLimited, .lower = lower, .upper = upper};
  }
  static JointAxis Motor(double velocity,
                         double max_force = std::numeric_limits<double>::infinity()) {
    return {.mode = AxisMode::kMotor, .velocity = velocity, .max_force = max_force};
  }
  static JointAxis Friction(double max_force) {
    return {.mode = AxisMode::kFriction, .max_force = max_force};
  }
};

inline constexpr int kRotations = 3;  // the first rotation among the axes

struct JointDef {
  std::string name;    // unique when not empty
  std::string body_a;  // name of a body; empty: the world
  std::string body_b;  // name of another body; one of the two is dynamic
  Pose frame_a;        // body A <- joint; of the world: world <- joint
  Pose frame_b;        // body B <- joint
  // x, y, z, then the rotations about them. Of the rotations all, all but one or none may be
  // locked, and where none is none may be limited: two angles that are both large have no axes to
  // be measured about.
  std::array<JointAxis, 6> axes;
  bool bodies_collide = false;  // whether the two bodies may touch each other
};

}  // namespace talus
