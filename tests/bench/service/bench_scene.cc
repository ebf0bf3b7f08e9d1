#include "tests/bench/service/bench_scene.h"

#include <cmath>

#include "server/wire/scene_codec.h"
#include "solver/parallel/worker_arena.h"

namespace talus::bench {
namespace {

constexpr double kRadius = 0.1;
constexpr char kStone[] = "stone";

v1::SceneSpec DescribeGround() {
  v1::SceneSpec spec;
  v1::NamedMaterial& stone = *spec.add_materials();
  stone.set_name(kStone);
  stone.mutable_material()->set_sliding_friction(0.6);
  stone.mutable_material()->set_rolling_friction_m(0.005);
  stone.mutable_material()->set_spinning_friction_m(0.005);
  v1::BodySpec& ground = *spec.add_bodies();
  ground.set_kind(v1::BODY_KIND_STATIC);
  v1::ShapeSpec& plane = *ground.add_shapes();
  plane.mutable_plane()->mutable_normal()->set_z(1.0);
  plane.set_material(kStone);
  return spec;
}

void AddBall(double x, double y, double z, v1::SceneSpec& spec) {
  v1::BodySpec& ball = *spec.add_bodies();
  ball.set_kind(v1::BODY_KIND_DYNAMIC);
  ball.mutable_position_world_m()->set_x(x);
  ball.mutable_position_world_m()->set_y(y);
  ball.mutable_position_world_m()->set_z(z);
  ball.set_mass_kg(1.0);
  v1::ShapeSpec& shape = *ball.add_shapes();
  shape.mutable_sphere()->set_radius_m(kRadius);
  shape.set_material(kStone);
}

}  // namespace

v1::SceneSpec DescribeTenBalls() {
  v1::SceneSpec spec = DescribeGround();
  constexpr int kSide = 3;
  const double pitch = 2.0 * kRadius;
  for (int layer = 0; layer < kSide; ++layer) {
    for (int row = 0; row < kSide - layer; ++row) {
      for (int place = 0; place < kSide - layer - row; ++place) {
        AddBall(pitch * (place + 0.5 * row + 0.5 * layer),
                pitch * std::sqrt(3.0) * (row / 2.0 + layer / 6.0),
                kRadius + pitch * std::sqrt(2.0 / 3.0) * layer, spec);
      }
    }
  }
  return spec;
}

v1::SceneSpec DescribeField(int side) {
  v1::SceneSpec spec = DescribeGround();
  for (int row = 0; row < side; ++row) {
    for (int place = 0; place < side; ++place) {
      AddBall(2.5 * kRadius * place, 2.5 * kRadius * row, kRadius, spec);
    }
  }
  return spec;
}

v1::SceneSpec DescribeRollingField(int side) {
  v1::SceneSpec spec = DescribeField(side);
  spec.mutable_materials(0)->mutable_material()->set_rolling_friction_m(0.0);
  for (v1::BodySpec& body : *spec.mutable_bodies()) {
    if (body.kind() != v1::BODY_KIND_DYNAMIC) continue;
    body.mutable_linear_velocity_world_m_s()->set_x(1.0);
    body.mutable_angular_velocity_world_rad_s()->set_y(1.0 / kRadius);
  }
  return spec;
}

absl::StatusOr<World> MakeWorld(const v1::SceneSpec& spec) {
  const absl::StatusOr<SceneDef> scene = wire::DecodeScene(spec, "spec");
  if (!scene.ok()) return scene.status();
  return World::Create(*scene);
}

absl::StatusOr<uint64_t> FindHash(const v1::SceneSpec& spec, int64_t steps) {
  absl::StatusOr<World> world = MakeWorld(spec);
  if (!world.ok()) return world.status();
  WorkerArena worker(1);
  for (int64_t step = 0; step < steps; ++step) {
    const absl::StatusOr<StepReport> report = world->Step(worker);
    if (!report.ok()) return report.status();
  }
  return world->state_hash();
}

}  // namespace talus::bench
