#include "solver/world/world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/base/field_error.h"
#include "tests/scenes/piles.h"
#include "tests/scenes/single_body.h"

namespace talus {
namespace {

World MustCreate(const SceneDef& scene) {
  absl::StatusOr<World> world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

StepReport MustStep(World& world, WorkerArena& workers, int count) {
  StepReport last;
  for (int step = 0; step < count; ++step) {
    absl::StatusOr<StepReport> report = world.Step(workers);
    EXPECT_TRUE(report.ok()) << report.status();
    last = *report;
  }
  return last;
}

BodyDef MakeNamedBall(const Vec3& position, const std::string& name = "") {
  BodyDef ball;
  ball.name = name;
  ball.pose_world.position = position;
  ball.shapes.resize(1);
  ball.shapes[0].geometry = Sphere{0.1};
  ball.density_kg_m3 = 1000.0;
  return ball;
}

TEST(WorldTest, ABallFallsFreelyByTheSumOfTheSteps) {
  SceneDef scene = scenes::SphereOnPlane(5.0, 0.2, 0.04).Build();
  scene.bodies[1].pose_world.position.z() = 1000.0;
  scene.bodies[1].linear_velocity_world_m_s.setZero();
  World world = MustCreate(scene);
  WorkerArena workers(1);
  const StepReport report = MustStep(world, workers, 100);
  // x_n = x_0 - g h^2 n (n + 1) / 2 for the semi-implicit step.
  EXPECT_NEAR(world.bodies().positions[1].z(), 1000.0 - 9.81 * 1e-6 * 100 * 101 / 2, 1e-9);
  EXPECT_EQ(report.contact_count, 0);
  EXPECT_EQ(report.outcome, SolveOutcome::kConverged);
  EXPECT_EQ(report.step_index, 100);
  EXPECT_DOUBLE_EQ(report.time_s, 0.1);
}

TEST(WorldTest, TheRollingDiskStopsWhereThePaperSaysAndStaysThere) {
  World world = MustCreate(scenes::RollingDisk(0.01).Build());
  WorkerArena workers(1);
  MustStep(world, workers, 800);
  // First order: h v0 / 2.
  EXPECT_NEAR(world.bodies().positions[1].x(), 3.571429, 0.5 * 0.01 * 1.0 + 1e-6);
  EXPECT_LE(world.bodies().linear_velocities[1].norm(), 1e-12);
  EXPECT_LE(world.bodies().angular_velocities[1].norm(), 1e-12);
}

TEST(WorldTest, TheReportIsTheStateAfterTheStep) {
  World world = MustCreate(scenes::RollingDisk(0.01).Build());
  EXPECT_EQ(world.step_index(), 0);
  EXPECT_EQ(world.last_report().outcome, SolveOutcome::kNone);
  EXPECT_EQ(world.last_report().state_hash, world.state_hash());
  EXPECT_EQ(world.last_report().body_count, 2);
  WorkerArena workers(1);
  const uint64_t before = world.state_hash();
  const StepReport report = MustStep(world, workers, 1);
  EXPECT_NE(world.state_hash(), before);
  EXPECT_EQ(report.state_hash, world.state_hash());
  EXPECT_EQ(report.step_index, world.step_index());
  EXPECT_EQ(report.contact_count, 1);
  const Energy energy = world.ComputeEnergy();
  EXPECT_EQ(report.energy.kinetic_translation_j, energy.kinetic_translation_j);
  EXPECT_NEAR(energy.kinetic_translation_j, 0.5 * 10.0, 0.02);
  EXPECT_NEAR(energy.kinetic_rotation_j, 0.5 * 4.0, 0.01);
  EXPECT_NEAR(energy.potential_j, 10.0 * 9.8 * 1.0, 1e-9);
}

TEST(WorldTest, TheReportTellsTheDepthOfThePenetration) {
  scenes::BallOnPlane ball = scenes::RollingDisk(0.01);
  ball.height_m = -0.003;
  World world = MustCreate(ball.Build());
  WorkerArena workers(1);
  // At the start of the step, before the recovery moves it.
  EXPECT_NEAR(MustStep(world, workers, 1).worst_penetration_m, 0.003, 1e-12);
  EXPECT_LT(MustStep(world, workers, 1).worst_penetration_m, 0.003);
}

TEST(WorldTest, ResidualHistoryOnRequestOnly) {
  World world = MustCreate(scenes::Stack());
  WorkerArena workers(1);
  EXPECT_TRUE(world.Step(workers)->residual_history.empty());
  const absl::StatusOr<StepReport> report = world.Step(workers, {.residual_history = true});
  EXPECT_EQ(report->residual_history.size(), static_cast<size_t>(report->sweep_count));
}

TEST(WorldTest, ContactsCarryTheWeight) {
  scenes::StackOptions options;
  options.count = 3;
  SceneDef scene = scenes::Stack(options);
  scene.settings.solver.tolerance = 1e-10;
  World world = MustCreate(scene);
  EXPECT_TRUE(world.Contacts().empty());
  WorkerArena workers(1);
  MustStep(world, workers, 5);
  const std::vector<ContactRecord> contacts = world.Contacts();
  ASSERT_EQ(contacts.size(), 12u);
  double ground_force = 0.0;
  for (const ContactRecord& contact : contacts) {
    EXPECT_LT(contact.body_a_row, contact.body_b_row);
    EXPECT_NEAR(contact.wrench_contact[0], contact.force_world_n.dot(contact.normal_world), 1e-9);
    EXPECT_EQ(contact.mode & kContactClosed, kContactClosed);
    if (contact.body_a_row == 0) ground_force += contact.force_world_n.z();
  }
  EXPECT_NEAR(ground_force, 300.0 * 9.81, 1e-5 * 300.0 * 9.81);
}

TEST(WorldTest, AGravelPileGrowsAndLosesWhatLeavesTheDomain) {
  scenes::GravelPileOptions options;
  options.particles = 200;
  SceneDef scene = scenes::GravelPile(options);
  scene.domain->max_world_m.x() = 0.1;
  World world = MustCreate(scene);
  WorkerArena workers(2);
  int64_t emitted = 0;
  int64_t removed = 0;
  for (int step = 0; step < 200; ++step) {
    const int64_t version = world.layout_version();
    const StepReport report = MustStep(world, workers, 1);
    emitted += report.emitted_count;
    removed += report.removed_count;
    EXPECT_EQ(report.body_count, 1 + emitted - removed);
    EXPECT_EQ(world.layout_version() > version, report.emitted_count + report.removed_count > 0);
    for (const ContactRecord& contact : world.Contacts()) {
      EXPECT_LT(contact.body_b_row, world.body_count());
    }
  }
  EXPECT_EQ(emitted, 200);
  EXPECT_GT(removed, 10);
  EXPECT_LT(removed, 190);
  EXPECT_EQ(world.particles_pending(), 0);
}

TEST(WorldTest, TheNozzleKeepsUpWithItsRate) {
  scenes::GravelPileOptions options;
  options.particles = 400;
  World world = MustCreate(scenes::GravelPile(options));
  WorkerArena workers(2);
  MustStep(world, workers, 80);
  // 320 of the 400 are due by then; a few may wait for room.
  EXPECT_LE(world.particles_pending(), 80 + 8);
}

TEST(WorldTest, BodiesComeAndGoAllOrNone) {
  World world = MustCreate(scenes::RollingDisk(0.01).Build());
  const uint64_t hash = world.state_hash();
  const int64_t version = world.layout_version();
  const std::vector<BodyDef> bad = {MakeNamedBall(Vec3(5, 0, 1), "new"),
                                    MakeNamedBall(Vec3(5, 0, 2), "ball")};
  EXPECT_EQ(world.AddBodies(bad).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.layout_version(), version);

  const std::vector<BodyDef> good = {MakeNamedBall(Vec3(5, 0, 1), "new"),
                                     MakeNamedBall(Vec3(5, 0, 2))};
  const auto ids = world.AddBodies(good);
  ASSERT_TRUE(ids.ok()) << ids.status();
  EXPECT_EQ(*ids, (std::vector<BodyId>{BodyId{3}, BodyId{4}}));
  EXPECT_EQ(world.body_count(), 4u);
  EXPECT_GT(world.layout_version(), version);
  EXPECT_NE(world.state_hash(), hash);

  const std::vector<BodyId> missing = {BodyId{3}, BodyId{77}};
  const absl::Status status = world.RemoveBodies(missing);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(GetFieldError(status)->field, "body_ids[1]");
  EXPECT_EQ(world.body_count(), 4u);
  const std::vector<BodyId> by_id = {BodyId{4}};
  const std::vector<std::string> by_name = {"new"};
  EXPECT_TRUE(world.RemoveBodies(by_id, by_name).ok());
  EXPECT_EQ(world.body_count(), 2u);
  EXPECT_EQ(world.RemoveBodies({}, by_name).code(), absl::StatusCode::kNotFound);
  // Ids are never given twice.
  EXPECT_EQ((*world.AddBodies({good.data(), 1}))[0], BodyId{5});
}

TEST(WorldTest, MaterialsComeWithTheBodiesThatNeedThem) {
  World world = MustCreate(scenes::RollingDisk(0.01).Build());
  std::vector<BodyDef> bodies = {MakeNamedBall(Vec3(5, 0, 1))};
  bodies[0].shapes[0].material = "ice";
  EXPECT_EQ(world.AddBodies(bodies).status().code(), absl::StatusCode::kInvalidArgument);
  const std::vector<NamedMaterial> ice = {{"ice", {0.02, 0.0, 0.0, 0.0}}};
  EXPECT_TRUE(world.AddBodies(bodies, ice).ok());
  EXPECT_TRUE(world.AddBodies(bodies).ok());
  EXPECT_EQ(world.AddBodies(bodies, ice).status().code(), absl::StatusCode::kAlreadyExists);
}

TEST(WorldTest, EmittersComeAndGo) {
  World world = MustCreate(scenes::RollingDisk(0.01).Build());
  EmitterDef emitter = scenes::GravelPile().emitters[0];
  emitter.material = "";
  emitter.particle_count = 2000;
  ASSERT_TRUE(world.AddEmitters({&emitter, 1}).ok());
  EXPECT_EQ(world.AddEmitters({&emitter, 1}).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(world.emitter_count(), 1u);
  EXPECT_EQ(world.particles_pending(), 2000);
  const std::vector<std::string> none = {"nozzle", "nobody"};
  EXPECT_EQ(world.RemoveEmitters(none).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(world.emitter_count(), 1u);
  EXPECT_TRUE(world.RemoveEmitters({none.data(), 1}).ok());
  EXPECT_EQ(world.emitter_count(), 0u);
}

TEST(WorldTest, AForkGoesItsOwnWay) {
  World world = MustCreate(scenes::RollingDisk(0.01).Build());
  WorkerArena workers(1);
  MustStep(world, workers, 10);
  World fork = world.Fork();
  EXPECT_EQ(fork.state_hash(), world.state_hash());
  EXPECT_EQ(fork.Contacts().size(), world.Contacts().size());
  EXPECT_EQ(fork.last_report().sweep_count, world.last_report().sweep_count);
  EXPECT_EQ(MustStep(fork, workers, 10).state_hash, MustStep(world, workers, 10).state_hash);
  const BodyDef ball = MakeNamedBall(Vec3(0, 0, 20));
  ASSERT_TRUE(fork.AddBodies({&ball, 1}).ok());
  EXPECT_NE(MustStep(fork, workers, 1).state_hash, MustStep(world, workers, 1).state_hash);
  EXPECT_EQ(world.body_count(), 2u);
}

TEST(WorldTest, AFaultKeepsTheLastGoodStateAndStopsTheScene) {
  // Gravity of a million m/s^2 at steps of a second: after a thousand steps the speed is beyond any
  // state.
  SceneDef scene;
  scene.settings.time_step_s = 1.0;
  scene.settings.gravity_world_m_s2 = Vec3(0, 0, -1e6);
  scene.bodies.push_back(MakeNamedBall(Vec3::Zero(), "ball"));
  const double diameter = 2.0 * std::get<Sphere>(scene.bodies[0].shapes[0].geometry).radius_m;
  for (const double x : {10.0, 10.0 + diameter})
    scene.bodies.push_back(MakeNamedBall(Vec3(x, 0, 0)));
  World world = MustCreate(scene);
  EmitterDef emitter = scenes::GravelPile().emitters[0];
  emitter.material = "";
  emitter.particle_count = 2000;
  emitter.rate_per_s = 1.0;
  emitter.start_time_s = 1000.0;
  ASSERT_TRUE(world.AddEmitters({&emitter, 1}).ok());
  WorkerArena workers(1);
  MustStep(world, workers, 1000);
  EXPECT_EQ(world.Contacts().size(), 1u);
  const std::string good = world.SaveSnapshot();
  const uint64_t hash = world.state_hash();
  absl::StatusOr<StepReport> report = world.Step(workers);
  EXPECT_EQ(report.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(world.fault(), "step 1001, body 1: new linear velocity is not finite or out of bounds");
  // The particle born in the failed step is gone again, and its emitter owes it still.
  EXPECT_EQ(world.body_count(), 3u);
  EXPECT_EQ(world.particles_pending(), 2000);
  EXPECT_TRUE(world.Contacts().empty());
  EXPECT_EQ(world.step_index(), 1000);
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(World::Restore(good)->state_hash(), hash);
  EXPECT_EQ(world.Step(workers).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(world.AddBodies({}).status().code(), absl::StatusCode::kFailedPrecondition);
  const absl::StatusOr<World> restored = World::Restore(world.SaveSnapshot());
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(restored->fault(), world.fault());
}

TEST(WorldTest, BadScenesAreRefusedByName) {
  SceneDef scene = scenes::RollingDisk(0.01).Build();
  scene.bodies[1].mass_kg = -2.0;
  EXPECT_EQ(std::string(World::Create(scene).status().message()),
            "bodies[1].mass_kg = -2 must be > 0");
}

TEST(WorldTest, ViewsTellWhatBodiesAre) {
  const World world = MustCreate(scenes::Stack({.count = 1}));
  EXPECT_EQ(world.bodies().kinds[0], BodyKind::kStatic);
  EXPECT_EQ(world.bodies().kinds[1], BodyKind::kDynamic);
  EXPECT_EQ(world.body_name(0), "ground");
  EXPECT_EQ(world.sphere_radius_m(1), 0.0);
  EXPECT_EQ(MustCreate(scenes::RollingDisk(0.01).Build()).sphere_radius_m(1), 1.0);
}

TEST(WorldTest, AKinematicBodyMovesAsToldAndCarriesOthers) {
  scenes::BlockOnPlane block;
  block.material.sliding_friction = 0.3;
  SceneDef scene = block.Build();
  scene.bodies[0].kind = BodyKind::kKinematic;
  scene.bodies[0].linear_velocity_world_m_s = Vec3(0.5, 0, 0);
  World world = MustCreate(scene);
  WorkerArena workers(1);
  MustStep(world, workers, 400);
  EXPECT_NEAR(world.bodies().positions[0].x(), 1.0, 1e-9);
  EXPECT_NEAR(world.bodies().linear_velocities[1].x(), 0.5, 1e-9);
}

}  // namespace
}  // namespace talus
