// [AB] §6.2: spheres of 20 mm and 1300 kg/m³ dropped at a constant rate onto a plane, from a height
// of 10 diameters (`drop_m`), x and y each uniform within ± half a diameter. Spinning friction is
// not in [AB]: σ = 0. The default rate is one in 64 ms, the time in which the one before has fallen
// by a diameter; the last one is dropped after 16 s. One that finds its place taken, as a heap does
// that has grown up to it, waits for the next step. A run of `seconds` may go on to `longest_s`,
// until all are dropped and at rest.
#include <algorithm>
#include <cmath>
#include <cstdint>
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
constexpr double kAtRest = 0.01;  // m/s: half a diameter in a second

// What drops the spheres, one by one.
class Hopper {
 public:
  Hopper(uint64_t seed, int64_t count, double rate, double height)
      : random_(seed), count_(count), rate_(rate), height_(height) {}

  // The sphere that is due at this time, unless its place is taken.
  absl::Status DropDue(World& world, double time_s, double h) {
    if (IsEmpty() || time_s < static_cast<double>(dropped_) / rate_ - 0.5 * h) {
      return absl::OkStatus();
    }
    if (!is_drawn_) {
      const double x = random_.Uniform(-0.5, 0.5) * kDiameter;
      place_ = {x, random_.Uniform(-0.5, 0.5) * kDiameter, height_};
      is_drawn_ = true;
    }
    if (!IsFree(world, place_)) {
      ++waited_steps_;
      return absl::OkStatus();
    }
    BodyDef ball;
    ball.pose_world.position = place_;
    ball.shapes.push_back({Sphere{0.5 * kDiameter}, Pose{}, "ball"});
    ball.density_kg_m3 = kDensity;
    ++dropped_;
    is_drawn_ = false;
    return world.AddBodies({&ball, 1}).status();
  }

  bool IsEmpty() const { return dropped_ == count_; }
  int64_t dropped() const { return dropped_; }
  // Steps in which a sphere was due and its place was taken.
  int64_t waited_steps() const { return waited_steps_; }

 private:
  static bool IsFree(const World& world, const Vec3& place) {
    const BodyStateView bodies = world.bodies();
    for (size_t row = 0; row < bodies.positions.size(); ++row) {
      if (bodies.kinds[row] != BodyKind::kDynamic) continue;
      if ((bodies.positions[row] - place).norm() < kDiameter) return false;
    }
    return true;
  }

  Random random_;
  int64_t count_;
  double rate_;  // 1/s
  double height_;
  int64_t dropped_ = 0;
  int64_t waited_steps_ = 0;
  Vec3 place_ = Vec3::Zero();  // of the next one, once it was drawn
  bool is_drawn_ = false;
};

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
struct Heap {
  double height_m = 0.0;       // of the highest sphere that something touches
  double mean_radius_m = 0.0;  // of all centres, from the axis
  double fastest_m_s = 0.0;
  double untouched = 0.0;  // spheres

  bool IsAtRest() const { return untouched == 0.0 && fastest_m_s <= kAtRest; }
};

Heap MeasureHeap(const World& world) {
  const BodyStateView bodies = world.bodies();
  const std::vector<bool> touching = FindTouching(world);
  Heap heap;
  const size_t count = bodies.positions.size();
  for (size_t row = 1; row < count; ++row) {
    const double top = bodies.positions[row].z() + 0.5 * kDiameter;
    if (touching[row]) heap.height_m = std::max(heap.height_m, top);
    if (!touching[row]) heap.untouched += 1.0;
    heap.mean_radius_m += bodies.positions[row].head<2>().norm() / static_cast<double>(count - 1);
    heap.fastest_m_s = std::max(heap.fastest_m_s, bodies.linear_velocities[row].norm());
  }
  return heap;
}

absl::StatusOr<SceneDef> MakeScene(RunParameters& parameters, double h) {
  TALUS_ASSIGN_OR_RETURN(const double mu, parameters.Number("sliding", 0.5, 0.0, 100.0));
  TALUS_ASSIGN_OR_RETURN(const double rho, parameters.Number("rolling_m", 0.01, 0.0, 100.0));
  TALUS_ASSIGN_OR_RETURN(const double tolerance, parameters.Number("tolerance", 1e-3, 1e-12, 1.0));
  TALUS_ASSIGN_OR_RETURN(const int64_t max_sweeps,
                         parameters.Count("max_sweeps", 1000, 1, 1000000));
  TALUS_ASSIGN_OR_RETURN(const int64_t newton, parameters.Count("newton", 0, 0, 1));
  SceneDef scene;
  scene.materials.push_back({"ball", {mu, rho, 0.0, 0.0}});
  scene.bodies.push_back(scenes::MakeGround("ball"));
  scene.settings.time_step_s = h;
  scene.settings.solver.tolerance = tolerance;
  scene.settings.solver.max_sweeps = static_cast<int32_t>(max_sweeps);
  if (newton == 1) scene.settings.solver.solver = SolverKind::kNewton;
  return scene;
}

absl::StatusOr<Hopper> MakeHopper(RunParameters& parameters) {
  TALUS_ASSIGN_OR_RETURN(const int64_t count, parameters.Count("particles", 250, 1, 10000));
  TALUS_ASSIGN_OR_RETURN(const int64_t seed, parameters.Count("seed", 1, 0, 1000000));
  TALUS_ASSIGN_OR_RETURN(const double rate, parameters.Number("rate_per_s", 15.625, 0.1, 1000.0));
  TALUS_ASSIGN_OR_RETURN(const double height,
                         parameters.Number("drop_m", kDropHeight, 2.0 * kDiameter, 10.0));
  return Hopper(static_cast<uint64_t>(seed), count, rate, height);
}

}  // namespace

absl::Status RunSpherePile(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet) {
  TALUS_ASSIGN_OR_RETURN(Hopper hopper, MakeHopper(parameters));
  TALUS_ASSIGN_OR_RETURN(const double seconds, parameters.Number("seconds", 20.0, 0.1, 1000.0));
  TALUS_ASSIGN_OR_RETURN(const double longest_s,
                         parameters.Number("longest_s", seconds, seconds, 1000.0));
  TALUS_ASSIGN_OR_RETURN(const double h, parameters.Number("time_step_s", 1e-3, 1e-5, 0.01));
  TALUS_ASSIGN_OR_RETURN(const SceneDef scene, MakeScene(parameters, h));
  TALUS_RETURN_IF_ERROR(parameters.CheckAllUsed());
  TALUS_ASSIGN_OR_RETURN(World world, World::Create(scene));

  const int64_t steps = std::llround(seconds / h);
  const int64_t most_steps = std::llround(longest_s / h);
  for (int64_t step = 0; step < most_steps; ++step) {
    if (step >= steps && hopper.IsEmpty() && MeasureHeap(world).IsAtRest()) break;
    TALUS_RETURN_IF_ERROR(hopper.DropDue(world, static_cast<double>(step) * h, h));
    TALUS_ASSIGN_OR_RETURN(const StepReport report, world.Step(workers));
    sheet.CountStep(report);
  }
  const Heap heap = MeasureHeap(world);
  sheet.values = {{"height_m", heap.height_m},
                  {"mean_radius_m", heap.mean_radius_m},
                  {"fastest_m_s", heap.fastest_m_s},
                  {"untouched", heap.untouched},
                  {"dropped", static_cast<double>(hopper.dropped())},
                  {"waited_steps", static_cast<double>(hopper.waited_steps())}};
  AddSphereColumns(world, sheet);
  return absl::OkStatus();
}

}  // namespace talus::validation
