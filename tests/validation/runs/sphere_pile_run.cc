// [AB] §6.2: spheres of 20 mm and 1300 kg/m³ dropped at a constant rate onto a plane, from a height
// of 10 diameters (`drop_m`), x and y each uniform within ± half a diameter. Spinning friction is
// not in [AB]: σ = 0. The default rate is one in 64 ms, the time in which the one before has fallen
// by a diameter; the last one is dropped after 16 s. One that finds its place taken, as a heap does
// that has grown up to it, waits for the next step.
#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/base/random.h"
#include "solver/base/status.h"
#include "solver/world/contact_record.h"
#include "tests/scenes/gravel.h"
#include "tests/validation/runs/body_columns.h"
#include "tests/validation/runs/runs.h"

namespace talus::validation {
namespace {

constexpr double kDiameter = 0.02;
constexpr double kDropHeight = 10.0 * kDiameter;  // the paper's
constexpr double kDensity = 1300.0;

bool IsFree(const World& world, const Vec3& place) {
  const BodyStateView bodies = world.bodies();
  for (size_t row = 0; row < bodies.positions.size(); ++row) {
    if (bodies.kinds[row] != BodyKind::kDynamic) continue;
    if ((bodies.positions[row] - place).norm() < kDiameter) return false;
  }
  return true;
}

absl::Status Drop(World& world, const Vec3& place) {
  BodyDef ball;
  ball.pose_world.position = place;
  ball.shapes.push_back({Sphere{0.5 * kDiameter}, Pose{}, "ball"});
  ball.density_kg_m3 = kDensity;
  return world.AddBodies({&ball, 1}).status();
}

// By row, whether anything pushes on the body: a sphere that falls is no part of a heap.
std::vector<bool> FindTouching(const World& world) {
  std::vector<bool> touching(world.bodies().positions.size(), false);
  for (const ContactRecord& contact : world.Contacts()) {
    if (contact.wrench_contact[0] <= 0.0) continue;
    touching[contact.body_a_row] = true;
    touching[contact.body_b_row] = true;
  }
  return touching;
}

// What the figure shows of the heap that the run ends with.
void MeasureHeap(const World& world, RunSheet& sheet) {
  const BodyStateView bodies = world.bodies();
  const std::vector<bool> touching = FindTouching(world);
  double height = 0.0;
  double distance = 0.0;
  double fastest = 0.0;
  double falling = 0.0;
  const size_t count = bodies.positions.size();
  for (size_t row = 1; row < count; ++row) {
    const double top = bodies.positions[row].z() + 0.5 * kDiameter;
    if (touching[row]) height = std::max(height, top);
    if (!touching[row]) falling += 1.0;
    distance += bodies.positions[row].head<2>().norm() / static_cast<double>(count - 1);
    fastest = std::max(fastest, bodies.linear_velocities[row].norm());
  }
  sheet.values["height_m"] = height;
  sheet.values["mean_radius_m"] = distance;
  sheet.values["fastest_m_s"] = fastest;
  sheet.values["untouched"] = falling;
}

}  // namespace

absl::Status RunSpherePile(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet) {
  TALUS_ASSIGN_OR_RETURN(const int64_t count, parameters.Count("particles", 250, 1, 10000));
  TALUS_ASSIGN_OR_RETURN(const double mu, parameters.Number("sliding", 0.5, 0.0, 100.0));
  TALUS_ASSIGN_OR_RETURN(const double rho, parameters.Number("rolling_m", 0.01, 0.0, 100.0));
  TALUS_ASSIGN_OR_RETURN(const int64_t seed, parameters.Count("seed", 1, 0, 1000000));
  TALUS_ASSIGN_OR_RETURN(const double rate, parameters.Number("rate_per_s", 15.625, 0.1, 1000.0));
  TALUS_ASSIGN_OR_RETURN(const double drop_height,
                         parameters.Number("drop_m", kDropHeight, 2.0 * kDiameter, 10.0));
  TALUS_ASSIGN_OR_RETURN(const double seconds, parameters.Number("seconds", 20.0, 0.1, 1000.0));
  TALUS_ASSIGN_OR_RETURN(const double h, parameters.Number("time_step_s", 1e-3, 1e-5, 0.01));
  TALUS_ASSIGN_OR_RETURN(const double tolerance, parameters.Number("tolerance", 1e-3, 1e-12, 1.0));
  TALUS_ASSIGN_OR_RETURN(const int64_t max_sweeps,
                         parameters.Count("max_sweeps", 1000, 1, 1000000));
  TALUS_ASSIGN_OR_RETURN(const int64_t newton, parameters.Count("newton", 0, 0, 1));
  TALUS_RETURN_IF_ERROR(parameters.CheckAllUsed());
  SceneDef scene;
  scene.materials.push_back({"ball", {mu, rho, 0.0, 0.0}});
  scene.bodies.push_back(scenes::MakeGround("ball"));
  scene.settings.time_step_s = h;
  scene.settings.solver.tolerance = tolerance;
  scene.settings.solver.max_sweeps = static_cast<int32_t>(max_sweeps);
  if (newton == 1) scene.settings.solver.solver = SolverKind::kNewton;
  TALUS_ASSIGN_OR_RETURN(World world, World::Create(scene));

  Random random(static_cast<uint64_t>(seed));
  int64_t dropped = 0;
  double waited = 0.0;  // steps that a sphere was due and its place was taken
  Vec3 place = Vec3::Zero();
  bool drawn = false;
  const int64_t steps = std::llround(seconds / h);
  for (int64_t step = 0; step < steps; ++step) {
    const double due = static_cast<double>(dropped) / rate;
    if (dropped < count && static_cast<double>(step) * h >= due - 0.5 * h) {
      if (!drawn) {
        const double x = random.Uniform(-0.5, 0.5) * kDiameter;
        place = {x, random.Uniform(-0.5, 0.5) * kDiameter, drop_height};
        drawn = true;
      }
      if (IsFree(world, place)) {
        TALUS_RETURN_IF_ERROR(Drop(world, place));
        drawn = false;
        ++dropped;
      } else {
        waited += 1.0;
      }
    }
    TALUS_ASSIGN_OR_RETURN(const StepReport report, world.Step(workers));
    sheet.CountStep(report);
  }
  MeasureHeap(world, sheet);
  sheet.values["dropped"] = static_cast<double>(dropped);
  sheet.values["waited_steps"] = waited;
  AddSphereColumns(world, sheet);
  return absl::OkStatus();
}

}  // namespace talus::validation
