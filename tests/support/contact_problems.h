// Contact problems without a scene: random clusters of bodies in touch, for the tests of assembly,
// colouring and solvers.
#pragma once

#include <vector>

#include "solver/base/random.h"
#include "solver/contact/assemble.h"
#include "solver/contact/contact_input.h"

namespace talus::testing {

// Owns what a DynamicsView borrows.
struct ProblemBodies {
  std::vector<Vec3> positions;
  std::vector<double> inverse_masses;
  std::vector<Mat3> inverse_inertias;  // all as tensors, whether they are round or not
  std::vector<uint32_t> tensor_rows;
  std::vector<Vec3> linear;
  std::vector<Vec3> angular;
  std::vector<Material> materials;

  uint32_t Add(const Vec3& position, double mass, double inertia, const Vec3& velocity,
               const Vec3& spin) {
    positions.push_back(position);
    inverse_masses.push_back(mass > 0.0 ? 1.0 / mass : 0.0);
    inverse_inertias.push_back(mass > 0.0 ? Mat3(Mat3::Identity() / inertia) : Mat3::Zero());
    tensor_rows.push_back(static_cast<uint32_t>(tensor_rows.size()));
    linear.push_back(velocity);
    angular.push_back(spin);
    return static_cast<uint32_t>(positions.size() - 1);
  }

  DynamicsView view() const {
    return {positions, inverse_masses, {},     tensor_rows, inverse_inertias,
            linear,    angular,        linear, angular,     materials};
  }
};

struct TestProblem {
  ProblemBodies bodies;
  std::vector<ContactInput> contacts;
  AssemblySettings assembly{0.005, 1.0, 0.01};

  // A contact with a material of its own.
  void Touch(uint32_t a, uint32_t b, const Vec3& point, const Vec3& normal, double gap,
             const Material& material) {
    const auto row = static_cast<uint32_t>(bodies.materials.size());
    bodies.materials.push_back(material);
    contacts.push_back({a, b, point, normal, gap, row, row});
  }
};

// A problem with what it borrows: moving it moves nothing of that.
struct AssembledProblem : ContactProblem {
  ProblemBodies bodies;
  std::vector<BodyMotion> free_motion;  // by row

  AssembledProblem() = default;
  AssembledProblem(AssembledProblem&&) = default;
  AssembledProblem& operator=(AssembledProblem&&) = default;
};

inline AssembledProblem Assemble(const TestProblem& input, const BlockUse& use = {},
                                 int worker_count = 1) {
  WorkerArena workers(worker_count);
  AssemblyScratch scratch;
  AssembledProblem problem;
  problem.bodies = input.bodies;
  AssembleProblem(workers, problem.bodies.view(), input.contacts, {}, input.assembly, use, scratch,
                  problem, problem.free_motion);
  return problem;
}

// A jittered lattice of n spheres (radius 0.0225 m) on a floor, falling onto each other: every pair
// closer than a hundredth of a radius is a contact. Row 0 is the floor.
inline TestProblem MakeSphereLattice(int n, const Material& material, uint64_t seed) {
  constexpr double kRadius = 0.0225;
  constexpr double kMass = 2028.0 * 4.0 / 3.0 * 3.14159265358979 * kRadius * kRadius * kRadius;
  TestProblem problem;
  Random random(seed);
  problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  const int side = std::max(1, static_cast<int>(std::cbrt(static_cast<double>(n))));
  for (int i = 0; i < n; ++i) {
    const Vec3 cell(i % side, i / side % side, i / (side * side));
    Vec3 position = cell * 2.0 * kRadius + Vec3(0.0, 0.0, kRadius);
    for (int k = 0; k < 3; ++k) position[k] += random.Uniform(-2e-5, 2e-5);
    const Vec3 velocity(random.Uniform(-0.2, 0.2), random.Uniform(-0.2, 0.2), -0.05);
    const Vec3 spin(random.Uniform(-5, 5), random.Uniform(-5, 5), random.Uniform(-5, 5));
    problem.bodies.Add(position, kMass, 0.4 * kMass * kRadius * kRadius, velocity, spin);
  }
  for (uint32_t i = 1; i <= static_cast<uint32_t>(n); ++i) {
    const Vec3& x = problem.bodies.positions[i];
    const double floor_gap = x.z() - kRadius;
    if (floor_gap < 0.01 * kRadius) {
      problem.Touch(0, i, Vec3(x.x(), x.y(), 0.5 * floor_gap), Vec3::UnitZ(), floor_gap, material);
    }
    for (uint32_t j = i + 1; j <= static_cast<uint32_t>(n); ++j) {
      const Vec3 d = problem.bodies.positions[j] - x;
      const double gap = d.norm() - 2.0 * kRadius;
      if (gap < 0.01 * kRadius) {
        problem.Touch(i, j, x + 0.5 * d, d.normalized(), gap, material);
      }
    }
  }
  return problem;
}

}  // namespace talus::testing
