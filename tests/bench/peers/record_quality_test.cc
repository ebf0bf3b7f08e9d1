#include "tests/bench/peers/record_quality.h"

#include <gtest/gtest.h>

#include <memory>

#include "solver/state/snapshot.h"
#include "solver/world/scene_assembly.h"
#include "solver/world/world.h"
#include "tests/bench/peers/peer_engine.h"
#include "tests/scenes/piles.h"

namespace talus::peers {
namespace {

constexpr int kSweeps = 12;  // few: the residual is then no round-off

// Spheres that have just fallen onto each other.
PeerState FallenSpheres() {
  scenes::PackedSpheresOptions options;
  options.count = 60;
  World world = *World::Create(scenes::PackedSpheres(options));
  WorkerArena workers(1);
  for (int step = 0; step < 40; ++step) EXPECT_TRUE(world.Step(workers).ok());
  return *MakePeerState("fallen", *RestoreSnapshot(world.SaveSnapshot()));
}

StepRecord RecordStep(const PeerState& state) {
  EngineOptions options;
  options.iterations = kSweeps;
  const std::unique_ptr<PeerEngine> engine = *MakeEngine(state, options);
  engine->Step();
  StepRecord record;
  record.before = state;
  engine->ReadContacts(record.contacts);
  PeerState after = state;
  engine->ReadBodies(after);
  for (const PeerBody& body : after.bodies) {
    record.linear_after.push_back(body.linear_velocity_m_s);
    record.angular_after.push_back(body.angular_velocity_rad_s);
  }
  return record;
}

RecordQuality Judge(const StepRecord& record) {
  WorkerArena workers(1);
  return ComputeRecordQuality(workers, record);
}

TEST(RecordQuality, IsWhatOurOwnReportStates) {
  const PeerState state = FallenSpheres();
  SceneDef scene = MakeScene(state);
  scene.settings.solver.tolerance = 1e-14;
  scene.settings.solver.max_sweeps = kSweeps;
  World world = *World::Create(scene);
  WorkerArena workers(1);
  const StepReport report = *world.Step(workers);
  ASSERT_GT(report.contact_count, 50);
  ASSERT_GT(report.residual, 1e-4);
  const RecordQuality quality = Judge(RecordStep(state));
  EXPECT_NEAR(quality.residual / report.residual, 1.0, 1e-9);
  EXPECT_NEAR(quality.worst_contact_residual / report.worst_contact_residual, 1.0, 1e-9);
  EXPECT_EQ(quality.worst_penetration_m, report.worst_penetration_m);
  EXPECT_LT(quality.velocity_mismatch, 1e-12);
}

TEST(RecordQuality, FindsImpulsesOfTheWrongSignUnitOrPart) {
  const StepRecord record = RecordStep(FallenSpheres());
  const RecordQuality right = Judge(record);
  StepRecord turned = record;
  StepRecord forces = record;
  StepRecord without_torque = record;
  for (size_t i = 0; i < record.contacts.size(); ++i) {
    turned.contacts[i].linear_impulse *= -1.0;
    forces.contacts[i].linear_impulse /= record.before.time_step_s;
    without_torque.contacts[i].angular_impulse.setZero();
  }
  for (const StepRecord* wrong : {&turned, &forces, &without_torque}) {
    EXPECT_GT(Judge(*wrong).velocity_mismatch, 0.05);
    EXPECT_GT(Judge(*wrong).residual, 2.0 * right.residual);
  }
}

TEST(StepRecord, ReadsBackToTheSameText) {
  const StepRecord record = RecordStep(FallenSpheres());
  const std::string text = ToJson(record);
  const absl::StatusOr<StepRecord> read = ParseStepRecord(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJson(*read), text);
  EXPECT_EQ(Judge(*read).residual, Judge(record).residual);
}

TEST(PeerState, SaysWhatIsWrongWithAText) {
  EXPECT_EQ(ParsePeerState("{}").status().code(), absl::StatusCode::kInvalidArgument);
  PeerState state = FallenSpheres();
  state.time_step_s = -state.time_step_s;
  EXPECT_EQ(ParsePeerState(ToJson(state)).status().message(),
            "peer state: time_step_s must be > 0");
}

TEST(PeerState, RefusesWhatNotEveryEngineHas) {
  const auto refuses = [](const SceneDef& scene) {
    return MakePeerState("odd", AssembleScene(scene)).status().code() ==
           absl::StatusCode::kInvalidArgument;
  };
  const SceneDef good = scenes::PackedSpheres({});
  EXPECT_FALSE(refuses(good));
  SceneDef scene = good;
  scene.materials[0].material.restitution = 0.5;
  EXPECT_TRUE(refuses(scene));
  scene = good;
  scene.bodies[1].shapes.push_back(scene.bodies[1].shapes[0]);
  EXPECT_TRUE(refuses(scene));
  scene = good;
  scene.bodies[0].kind = BodyKind::kKinematic;
  EXPECT_TRUE(refuses(scene));
  scene = good;
  scene.materials.push_back({"another", scene.materials[0].material});
  scene.bodies[1].shapes[0].material = "another";
  EXPECT_TRUE(refuses(scene));
}

}  // namespace
}  // namespace talus::peers
