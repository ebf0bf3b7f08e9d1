// Contacts that share no bodies, of every geometry a block may have: for the tests of kernels.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "solver/base/random.h"
#include "tests/support/contact_problems.h"

namespace talus::testing {

// Which bodies touch: what decides the geometry of the blocks.
enum class Touch { kSpheres, kRound, kAny };

// Pairs of bodies moving about, every fourth on a fixed one, no body in two contacts.
inline TestProblem MakePairs(Touch touch, int count, Random& random) {
  const auto vector = [&random](double size) {
    return Vec3(random.Uniform(-size, size), random.Uniform(-size, size),
                random.Uniform(-size, size));
  };
  TestProblem problem;
  for (int i = 0; i < count; ++i) {
    const bool fixed = i % 4 == 0;
    const Vec3 normal = vector(1.0).normalized();
    const Vec3 point = vector(1.0);
    const double mass = random.Uniform(0.5, 2.0);
    const double inertia = random.Uniform(0.05, 0.2);
    const Vec3 aside = touch == Touch::kSpheres ? Vec3(Vec3::Zero()) : vector(0.2);
    const uint32_t a = problem.bodies.Add(
        point - random.Uniform(0.1, 0.5) * normal + aside, fixed ? 0.0 : mass, inertia,
        fixed ? Vec3(Vec3::Zero()) : vector(1.0), fixed ? Vec3(Vec3::Zero()) : vector(2.0));
    const uint32_t b = problem.bodies.Add(point + random.Uniform(0.1, 0.5) * normal - aside, mass,
                                          inertia, vector(1.0), vector(2.0));
    if (touch == Touch::kAny) {
      Mat3 root;
      for (int k = 0; k < 9; ++k) root.data()[k] = random.Uniform(-1.0, 1.0);
      const Mat3 inverse = 3.0 * (root * root.transpose() + Mat3::Identity());
      problem.bodies.inverse_inertias[b] = inverse;
      if (!fixed) problem.bodies.inverse_inertias[a] = 2.0 * inverse;
    }
    const Material material{random.Uniform(0.0, 1.0), random.Uniform(0.0, 0.1),
                            random.Uniform(0.0, 0.1), 0.0};
    problem.Touch(a, b, point, normal, random.Uniform(-0.002, 0.002), material);
  }
  return problem;
}

inline const char* NameOf(Touch touch) {
  return touch == Touch::kSpheres ? "Spheres" : touch == Touch::kRound ? "Round" : "Any";
}

// What a kernel of sweeps is tested on.
struct SweptPairs {
  Touch touch;
  SweepKind sweeps;
};

inline auto AllSweptPairs() {
  return ::testing::Values(SweptPairs{Touch::kSpheres, SweepKind::kAlartCurnier},
                           SweptPairs{Touch::kSpheres, SweepKind::kProjected},
                           SweptPairs{Touch::kRound, SweepKind::kAlartCurnier},
                           SweptPairs{Touch::kRound, SweepKind::kProjected},
                           SweptPairs{Touch::kAny, SweepKind::kAlartCurnier},
                           SweptPairs{Touch::kAny, SweepKind::kProjected});
}

inline std::string NameOf(const SweptPairs& pairs) {
  return std::string(NameOf(pairs.touch)) +
         (pairs.sweeps == SweepKind::kAlartCurnier ? "AlartCurnier" : "Projected");
}

}  // namespace talus::testing
