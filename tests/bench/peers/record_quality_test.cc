#include "tests/bench/peers/record_quality.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "solver/state/snapshot.h"
#include "solver/world/world.h"
#include "tests/bench/peers/peer_engine.h"
#include "tests/scenes/drum.h"
#include "tests/scenes/piles.h"

namespace talus::peers {
namespace {

constexpr int kSweeps = 12;  // few: the residual is then no round-off

PeerState StateAfter(const SceneDef& scene, int steps, const std::string& id) {
  World world = *World::Create(scene);
  WorkerArena workers(1);
  for (int step = 0; step < steps; ++step) EXPECT_TRUE(world.Step(workers).ok());
  return *MakePeerState(id, *RestoreSnapshot(world.SaveSnapshot()));
}

// Spheres that have just fallen onto each other.
PeerState FallenSpheres() {
  scenes::PackedSpheresOptions options;
  options.count = 60;
  return StateAfter(scenes::PackedSpheres(options), 40, "fallen");
}

// Half full, after a tenth of a second.
PeerState TurningDrum() { return StateAfter(scenes::Drum({.stones = 60}), 20, "drum"); }

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

// The report of a step from `state`, and what its record is judged to be.
void ExpectOurOwnReport(const PeerState& state) {
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

TEST(RecordQuality, IsWhatOurOwnReportStates) { ExpectOurOwnReport(FallenSpheres()); }

TEST(RecordQuality, IsWhatOurOwnReportStatesWhereADrumTurns) { ExpectOurOwnReport(TurningDrum()); }

TEST(RecordQuality, KnowsWhatVelocityIsPrescribed) {
  const StepRecord record = RecordStep(TurningDrum());
  ASSERT_TRUE(record.before.bodies[0].is_kinematic());
  StepRecord standing = record;
  standing.before.bodies[0].angular_velocity_rad_s.setZero();
  EXPECT_GT(Judge(standing).residual, 2.0 * Judge(record).residual);
  EXPECT_GT(Judge(standing).velocity_mismatch, 0.05);
  standing.angular_after[0].setZero();
  EXPECT_LT(Judge(standing).velocity_mismatch, 1e-12);
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

}  // namespace
}  // namespace talus::peers
