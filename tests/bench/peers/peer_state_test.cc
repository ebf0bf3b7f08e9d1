#include "tests/bench/peers/peer_state.h"

#include <gtest/gtest.h>

#include <string>

#include "solver/world/scene_assembly.h"
#include "tests/scenes/drum.h"
#include "tests/scenes/piles.h"

namespace talus::peers {
namespace {

// Row 0 is a drum that turns, of eighteen boxes; stones follow.
PeerState DrumState() {
  return *MakePeerState("drum", AssembleScene(scenes::Drum({.stones = 20})));
}

std::string Complaint(const PeerState& state) {
  return std::string(ParsePeerState(ToJson(state)).status().message());
}

TEST(PeerState, ReadsBackToTheSameText) {
  const std::string text = ToJson(DrumState());
  const absl::StatusOr<PeerState> read = ParsePeerState(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJson(*read), text);
}

TEST(PeerState, KeepsThePrescribedVelocityAndEveryShape) {
  const SceneDef scene = scenes::Drum({.stones = 20});
  const SceneDef again = MakeScene(*ParsePeerState(ToJson(DrumState())));
  EXPECT_EQ(again.bodies[0].kind, BodyKind::kKinematic);
  EXPECT_EQ(again.bodies[0].angular_velocity_world_rad_s,
            scene.bodies[0].angular_velocity_world_rad_s);
  EXPECT_EQ(again.bodies[0].shapes.size(), scene.bodies[0].shapes.size());
  EXPECT_FALSE(again.bodies[0].mass_kg.has_value());
}

TEST(PeerState, SaysWhatIsWrongWithAText) {
  EXPECT_EQ(ParsePeerState("{}").status().code(), absl::StatusCode::kInvalidArgument);
  PeerState state = DrumState();
  state.time_step_s = -state.time_step_s;
  EXPECT_EQ(Complaint(state), "peer state: time_step_s = -0.005 must be > 0");
}

TEST(PeerState, RefusesAKindItDoesNotKnow) {
  std::string text = ToJson(DrumState());
  const std::string kind = "\"kinematic\"";
  text.replace(text.find(kind), kind.size(), "\"floating\"");
  EXPECT_EQ(ParsePeerState(text).status().message(),
            "peer state: bodies[0].kind = \"floating\" must be dynamic, static or kinematic");
}

TEST(PeerState, RefusesAKinematicBodyWithMassOrAPlane) {
  PeerState state = DrumState();
  state.bodies[0].mass_kg = 5.0;
  EXPECT_EQ(Complaint(state), "peer state: bodies[0].mass_kg = 5 must be 0 on a kinematic body");
  state = DrumState();
  state.bodies[0].inertia_body_kg_m2 = Vec3(1.0, 2.0, 3.0);
  EXPECT_EQ(Complaint(state),
            "peer state: bodies[0].inertia_body_kg_m2 = (1, 2, 3) must be 0 on a kinematic body");
  state = DrumState();
  state.bodies[0].shapes[2].geometry = Plane{};
  EXPECT_EQ(Complaint(state),
            "peer state: bodies[0].shapes[2] = a plane must be a sphere or a box on a kinematic "
            "body");
}

TEST(PeerState, RefusesAStaticBodyThatMoves) {
  PeerState state = DrumState();
  state.bodies[0].kind = BodyKind::kStatic;
  EXPECT_EQ(Complaint(state),
            "peer state: bodies[0].angular_velocity_rad_s = (0, 1.5, 0) must be 0 on a static "
            "body");
}

TEST(PeerState, RefusesADynamicBodyThatNotEveryEngineHas) {
  PeerState state = DrumState();
  state.bodies[1].mass_kg = 0.0;
  EXPECT_EQ(Complaint(state), "peer state: bodies[1].mass_kg = 0 must be > 0");
  state = DrumState();
  state.bodies[1].shapes.push_back(state.bodies[1].shapes[0]);
  EXPECT_EQ(Complaint(state),
            "peer state: bodies[1].shapes = 2 shapes must be one sphere or box on a dynamic body");
  state = DrumState();
  state.bodies[1].shapes[0].pose_body.position.x() = 0.5;
  EXPECT_EQ(Complaint(state),
            "peer state: bodies[1].shapes[0] = (0.5, 0, 0), or turned must be at the centre of a "
            "dynamic body, in its axes");
}

TEST(PeerState, RefusesASceneThatNotEveryEngineHas) {
  const auto refuses = [](const SceneDef& scene) {
    return MakePeerState("odd", AssembleScene(scene)).status().code() ==
           absl::StatusCode::kInvalidArgument;
  };
  const SceneDef good = scenes::PackedSpheres({});
  EXPECT_FALSE(refuses(good));
  SceneDef scene = good;
  scene.bodies[0].kind = BodyKind::kKinematic;
  EXPECT_FALSE(refuses(scene));
  scene.bodies[0].shapes[0].geometry = Plane{};
  EXPECT_TRUE(refuses(scene));
  scene = good;
  scene.materials[0].material.restitution = 0.5;
  EXPECT_TRUE(refuses(scene));
  scene = good;
  scene.bodies[1].shapes.push_back(scene.bodies[1].shapes[0]);
  EXPECT_TRUE(refuses(scene));
  scene = good;
  scene.materials.push_back({"another", scene.materials[0].material});
  scene.bodies[1].shapes[0].material = "another";
  EXPECT_TRUE(refuses(scene));
}

}  // namespace
}  // namespace talus::peers
