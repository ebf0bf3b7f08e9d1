#include "tests/scenes/rolling_problems.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include "solver/base/check.h"
#include "solver/matrix/contact_matrices.h"
#include "tests/scenes/brick_wall.h"
#include "tests/scenes/piles.h"
#include "tests/scenes/rolling_scenes.h"
#include "tests/scenes/step_problem.h"
#include "tests/support/contact_problems.h"

namespace talus::scenes {
namespace {

constexpr uint64_t kSeed = 11;
// Of the steps before: small enough that what they leave behind is not seen in the one taken.
constexpr double kTolerance = 1e-6;
constexpr int kMaxSweeps = 2000;

MatrixProblem MakeStep(const RollingProblem& problem, SceneDef scene) {
  SetRollingFriction(problem.sliding, problem.rolling_m, scene);
  scene.settings.solver.tolerance = kTolerance;
  scene.settings.solver.max_sweeps = kMaxSweeps;
  MatrixProblem matrices =
      MakeStepProblem(scene, {.steps = problem.steps, .kick_m_s = problem.kick_m_s, .seed = kSeed});
  DropSpinningRows(matrices);
  return matrices;
}

MatrixProblem PlaneProblem(const RollingProblem& problem) {
  return MakeStep(problem, SpheresOnPlane({.count = problem.count,
                                           .speed_m_s = problem.kick_m_s > 0.0 ? 0.0 : 1.0,
                                           .density_ratio = problem.ratio,
                                           .seed = kSeed}));
}

MatrixProblem Pile(const RollingProblem& problem) {
  return MakeStep(problem, PackedSpheres({.count = problem.count, .seed = kSeed}));
}

MatrixProblem Column(const RollingProblem& problem) {
  return MakeStep(problem, SphereColumn(problem.count, problem.ratio));
}

// Cubes of 1 m, the last of them heavier.
MatrixProblem Cubes(const RollingProblem& problem) {
  return MakeStep(problem, Stack({.count = problem.count, .top_mass_ratio = problem.ratio}));
}

// As many bricks a course as courses.
MatrixProblem Wall(const RollingProblem& problem) {
  return MakeStep(problem, BrickWall({.courses = problem.count, .bricks_a_course = problem.count}));
}

MatrixProblem Grid(const RollingProblem& problem) {
  return MakeStep(problem, CubeGrid(problem.count));
}

MatrixProblem Plank(const RollingProblem& problem) {
  return MakeStep(problem, Bridge(problem.count, problem.ratio));
}

MatrixProblem Lattice(const RollingProblem& problem) {
  return MakeStep(problem, SphereLattice(problem.count));
}

MatrixProblem Pyramid(const RollingProblem& problem) {
  return MakeStep(problem, SpherePyramid(problem.count));
}

MatrixProblem Form(const testing::TestProblem& input) {
  const testing::AssembledProblem assembled = testing::Assemble(input);
  MatrixProblem problem = FormContactMatrices(assembled, assembled.free_motion);
  DropSpinningRows(problem);
  return problem;
}

// Two discs of 0.2 m one on the other, each on a ring of `count` points, the upper one `ratio`
// times as heavy. They slide and turn about an upright axis that does not go through their centres.
MatrixProblem Ring(const RollingProblem& problem) {
  constexpr double kRadius = 0.2;
  constexpr double kHeight = 0.05;
  const Material material{problem.sliding, problem.rolling_m, 0.0, 0.0};
  testing::TestProblem input;
  input.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  for (uint32_t level = 0; level < 2; ++level) {
    const double mass = level == 0 ? 1.0 : problem.ratio;
    const Vec3 speed(problem.kick_m_s * (1.0 - 0.5 * level), 0.0, -9.81 * 0.005);
    const uint32_t disc =
        input.bodies.Add(Vec3(0.0, 0.0, (level + 0.5) * kHeight), mass,
                         0.25 * mass * kRadius * kRadius, speed, Vec3(0.0, 0.0, speed.x()));
    for (int k = 0; k < problem.count; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / problem.count;
      const Vec3 point(kRadius * std::cos(angle), kRadius * std::sin(angle), level * kHeight);
      input.Touch(disc - 1, disc, point, Vec3::UnitZ(), 0.0, material);
    }
  }
  return Form(input);
}

// A sphere between `count` planes that lean outwards by 80 degrees, so that it is wedged in.
MatrixProblem Groove(const RollingProblem& problem) {
  constexpr double kRadius = 0.05;
  constexpr double kMass = 1.0;
  const double lean = 80.0 / 180.0 * std::numbers::pi;
  testing::TestProblem input;
  input.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  const Vec3 speed(0.3 * problem.kick_m_s, problem.kick_m_s, -9.81 * 0.005);
  input.bodies.Add(Vec3::Zero(), kMass, 0.4 * kMass * kRadius * kRadius, speed,
                   problem.kick_m_s / kRadius * Vec3(1.0, -0.5, 0.2));
  for (int k = 0; k < problem.count; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / problem.count;
    const Vec3 normal(std::sin(lean) * std::cos(angle), std::sin(lean) * std::sin(angle),
                      std::cos(lean));
    input.Touch(0, 1, -kRadius * normal, normal, 0.0,
                {problem.sliding, problem.rolling_m, 0.0, 0.0});
  }
  return Form(input);
}

// name, family, make, count, μ, ρ, ratio, steps, kick
std::vector<RollingProblem> PlanesAndPiles() {
  return {
      {"plane_1_moving", "plane", PlaneProblem, 1, 0.3, 1e-3},
      {"plane_4_moving", "plane", PlaneProblem, 4, 0.1, 1e-2},
      {"plane_16_resting", "plane", PlaneProblem, 16, 0.6, 1e-3, 1.0, 0, 1e-3},
      {"plane_16_moving", "plane", PlaneProblem, 16, 0.6, 1e-3},
      {"plane_32_resting", "plane", PlaneProblem, 32, 0.3, 5e-3, 1.0, 0, 1e-3},
      {"plane_64_mass_1e4", "plane", PlaneProblem, 64, 0.4, 5e-3, 1e4},
      {"plane_200_moving", "plane", PlaneProblem, 200, 0.6, 5e-3},
      {"pile_12_falling", "pile", Pile, 12, 0.6, 5e-3, 1.0, 12},
      {"pile_8_resting", "pile", Pile, 8, 0.6, 5e-3, 1.0, 200},
      {"pile_8_kicked", "pile", Pile, 8, 0.3, 1e-3, 1.0, 200, 0.5},
      {"pile_10_falling", "pile", Pile, 10, 0.4, 2e-3, 1.0, 12},
      {"pile_16_falling", "pile", Pile, 16, 0.6, 1e-2, 1.0, 12},
      {"pile_16_resting", "pile", Pile, 16, 0.5, 5e-3, 1.0, 200},
      {"pile_20_falling", "pile", Pile, 20, 0.6, 1e-3, 1.0, 12},
      {"pile_20_resting", "pile", Pile, 20, 0.3, 1e-2, 1.0, 200},
      {"pile_20_kicked", "pile", Pile, 20, 1.0, 1e-5, 1.0, 200, 0.5},
      {"pile_40_falling", "pile", Pile, 40, 0.1, 5e-3, 1.0, 12},
      {"pile_40_resting", "pile", Pile, 40, 0.6, 5e-3, 1.0, 200},
      {"pile_40_kicked", "pile", Pile, 40, 0.6, 2e-2, 1.0, 200, 0.2},
      {"pile_70_falling", "pile", Pile, 70, 0.8, 1e-3, 1.0, 14},
      {"pile_70_resting", "pile", Pile, 70, 0.3, 1e-3, 1.0, 200},
      {"pile_70_kicked", "pile", Pile, 70, 0.3, 3e-4, 1.0, 200, 0.3},
      {"pile_120_falling", "pile", Pile, 120, 0.6, 1e-2, 1.0, 16},
      {"pile_120_resting", "pile", Pile, 120, 0.6, 1e-3, 1.0, 200},
      {"pile_120_kicked", "pile", Pile, 120, 0.6, 5e-3, 1.0, 200, 0.2},
      {"pile_140_falling", "pile", Pile, 140, 0.3, 1e-3, 1.0, 18},
      {"pile_180_resting", "pile", Pile, 180, 0.6, 5e-3, 1.0, 200},
  };
}

std::vector<RollingProblem> Structures() {
  return {
      {"column_5", "column", Column, 5, 0.5, 5e-3, 1.0, 0, 0.1},
      {"column_5_mass_1e2", "column", Column, 5, 0.5, 5e-3, 1e2, 0, 0.1},
      {"column_3_mass_1e4", "column", Column, 3, 0.5, 5e-3, 1e4, 0, 0.1},
      {"column_8_mass_1e4", "column", Column, 8, 0.5, 5e-3, 1e4, 0, 0.1},
      {"stack_2", "stack", Cubes, 2, 0.6, 1e-2},
      {"stack_2_mass_1e4", "stack", Cubes, 2, 0.6, 1e-2, 1e4},
      {"stack_3", "stack", Cubes, 3, 0.6, 1e-2},
      {"stack_5_mass_1e2", "stack", Cubes, 5, 0.6, 1e-2, 1e2},
      {"stack_10", "stack", Cubes, 10, 0.6, 1e-2},
      {"stack_3_mass_1e4", "stack", Cubes, 3, 0.6, 1e-2, 1e4},
      {"stack_10_mass_1e4", "stack", Cubes, 10, 0.6, 1e-2, 1e4},
      {"stack_5_kicked_1e4", "stack", Cubes, 5, 0.3, 1e-2, 1e4, 0, 0.1},
      {"wall_2", "wall", Wall, 2, 0.6, 1e-3},
      {"wall_3", "wall", Wall, 3, 0.6, 1e-3},
      {"wall_3_kicked", "wall", Wall, 3, 0.6, 1e-3, 1.0, 0, 0.1},
      {"wall_4", "wall", Wall, 4, 0.4, 1e-2},
      {"wall_5", "wall", Wall, 5, 0.6, 1e-3},
      {"wall_5_kicked", "wall", Wall, 5, 0.3, 1e-3, 1.0, 0, 0.1},
      {"box_grid_3_kicked", "box", Grid, 3, 0.4, 1e-3, 1.0, 0, 0.2},
      {"box_grid_5", "box", Grid, 5, 0.4, 1e-3},
      {"bridge_3", "box", Plank, 3, 0.6, 1e-3},
      {"bridge_5_mass_1e2", "box", Plank, 5, 0.6, 1e-3, 1e2},
      {"lattice_2", "lattice", Lattice, 2, 0.6, 5e-3},
      {"lattice_3", "lattice", Lattice, 3, 0.6, 5e-3},
      {"lattice_3_kicked", "lattice", Lattice, 3, 0.6, 5e-3, 1.0, 0, 0.2},
      {"lattice_4", "lattice", Lattice, 4, 0.3, 1e-3},
      {"lattice_5_kicked", "lattice", Lattice, 5, 0.6, 5e-3, 1.0, 0, 0.5},
      {"pyramid_2", "pyramid", Pyramid, 2, 0.6, 5e-3},
      {"pyramid_3", "pyramid", Pyramid, 3, 0.6, 5e-3},
      {"pyramid_4", "pyramid", Pyramid, 4, 0.6, 5e-3},
      {"pyramid_5", "pyramid", Pyramid, 5, 0.6, 5e-3},
      {"pyramid_5_sliding", "pyramid", Pyramid, 5, 0.1, 1e-4},
      {"ring_4", "ring", Ring, 4, 0.3, 1e-3, 1.0, 0, 0.5},
      {"ring_8", "ring", Ring, 8, 0.3, 1e-3, 1.0, 0, 0.5},
      {"ring_16_resting", "ring", Ring, 16, 0.6, 1e-2},
      {"ring_32_resting", "ring", Ring, 32, 0.6, 1e-2},
      {"ring_64_mass_1e4", "ring", Ring, 64, 0.3, 1e-3, 1e4, 0, 0.5},
      {"groove_2", "groove", Groove, 2, 0.2, 2e-3, 1.0, 0, 0.2},
      {"groove_3_wedged", "groove", Groove, 3, 0.8, 1e-3, 1.0, 0, 0.2},
  };
}

std::vector<RollingProblem> ListAll() {
  std::vector<RollingProblem> all = PlanesAndPiles();
  std::ranges::move(Structures(), std::back_inserter(all));
  return all;
}

}  // namespace

std::span<const RollingProblem> RollingProblems() {
  static const std::vector<RollingProblem> kAll = ListAll();
  return kAll;
}

MatrixProblem MakeRollingProblem(std::string_view name) {
  const auto found = std::ranges::find(RollingProblems(), name, &RollingProblem::name);
  TALUS_CHECK(found != RollingProblems().end());
  return found->Make();
}

}  // namespace talus::scenes
