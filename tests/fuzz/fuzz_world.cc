#include "tests/fuzz/fuzz_world.h"

#include <algorithm>
#include <string>
#include <utility>

#include "solver/base/check.h"

namespace talus::fuzz {
namespace {

constexpr size_t kMostBodies = 24;
constexpr int32_t kMostWorldSweeps = 30;
constexpr int kSteps = 3;

BodyDef MakeBody(const char* name, BodyKind kind, const Vec3& position, const Geometry& geometry) {
  BodyDef body;
  body.name = name;
  body.kind = kind;
  body.pose_world.position = position;
  ShapeDef shape;
  shape.geometry = geometry;
  body.shapes.push_back(shape);
  if (kind == BodyKind::kDynamic) body.density_kg_m3 = 1000.0;
  return body;
}

}  // namespace

World MakeSmallWorld() {
  static const std::string saved = [] {
    SceneDef scene;
    scene.bodies = {
        MakeBody("floor", BodyKind::kStatic, Vec3(0.0, 0.0, -0.5), Box{Vec3(2.0, 2.0, 0.5)}),
        MakeBody("ball", BodyKind::kDynamic, Vec3(0.0, 0.0, 0.1), Sphere{0.1}),
        MakeBody("box", BodyKind::kDynamic, Vec3(0.5, 0.0, 0.1), Box{Vec3(0.1, 0.1, 0.1)})};
    JointDef hinge;
    hinge.name = "hinge";
    hinge.body_a = "ball";
    hinge.body_b = "box";
    hinge.frame_b.position = Vec3(-0.5, 0.0, 0.0);
    hinge.axes[0] = hinge.axes[1] = hinge.axes[2] = JointAxis::Locked();
    hinge.axes[5] = JointAxis::Motor(0.5, 1.0);
    scene.joints.push_back(hinge);
    scene.settings.solver.solver = SolverKind::kNewton;
    scene.settings.solver.max_sweeps = kMostWorldSweeps;
    absl::StatusOr<World> world = World::Create(scene);
    TALUS_CHECK(world.ok());
    TALUS_CHECK(StepFew(*world, {}).ok());
    return world->SaveSnapshot();
  }();
  absl::StatusOr<World> world = World::Restore(saved);
  TALUS_CHECK(world.ok());
  return *std::move(world);
}

absl::Status TryScene(SceneDef scene) {
  int32_t& sweeps = scene.settings.solver.max_sweeps;
  if (sweeps > kMostWorldSweeps && sweeps <= 1'000'000) sweeps = kMostWorldSweeps;
  absl::StatusOr<World> world = World::Create(scene);
  if (!world.ok()) return world.status();
  CheckSnapshotOf(*world);
  if (scene.bodies.size() > kMostBodies) return absl::OkStatus();
  absl::Status stepped = StepFew(*world, {});
  CheckSnapshotOf(*world);
  return stepped;
}

absl::Status StepFew(World& world, const StepOptions& options) {
  static WorkerArena worker(1);
  for (int step = 0; step < kSteps && world.body_count() <= 2 * kMostBodies; ++step) {
    const absl::StatusOr<StepReport> report = world.Step(worker, options);
    if (!report.ok()) return report.status();
    TALUS_CHECK(report->state_hash == world.state_hash());
  }
  return absl::OkStatus();
}

void CheckSnapshotOf(const World& world) {
  const std::string saved = world.SaveSnapshot();
  const absl::StatusOr<World> restored = World::Restore(saved);
  TALUS_CHECK(restored.ok());
  TALUS_CHECK(restored->state_hash() == world.state_hash());
  TALUS_CHECK(restored->SaveSnapshot() == saved);
}

}  // namespace talus::fuzz
