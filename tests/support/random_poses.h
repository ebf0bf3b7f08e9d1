// Random rotations, poses and shapes for the tests of collision.
#pragma once

#include <cmath>

#include "solver/base/math.h"
#include "solver/base/random.h"
#include "solver/scene/shape.h"

namespace talus::testing {

inline Vec3 RandomVector(Random& random, double limit) {
  const double x = random.Uniform(-limit, limit);
  const double y = random.Uniform(-limit, limit);
  return {x, y, random.Uniform(-limit, limit)};
}

// Uniform over the sphere, by rejection.
inline Vec3 RandomDirection(Random& random) {
  for (;;) {
    const Vec3 v = RandomVector(random, 1.0);
    if (v.norm() > 0.1 && v.norm() <= 1.0) return v.normalized();
  }
}

inline Quat RandomRotation(Random& random) {
  const Vec3 axis = RandomDirection(random);
  return ExpRotation(random.Uniform(0.0, 3.1) * axis);
}

inline Pose RandomPose(Random& random, double limit) {
  const Vec3 position = RandomVector(random, limit);
  return {position, RandomRotation(random)};
}

inline Box RandomBox(Random& random, double low, double high) {
  const double x = random.Uniform(low, high);
  const double y = random.Uniform(low, high);
  return {Vec3(x, y, random.Uniform(low, high))};
}

}  // namespace talus::testing
