// A description survives encoding and decoding bit for bit; what no description can hold is refused
// by name.
#include "server/wire/scene_codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "server/wire/body_codec.h"
#include "solver/base/field_error.h"
#include "solver/base/state_hash.h"
#include "tests/support/random_scene.h"

namespace talus::wire {
namespace {

// Feeds every field of a description, bit by bit, so that two descriptions with one hash are the
// same.
class SceneHash {
 public:
  static uint64_t Of(const SceneDef& scene) {
    SceneHash hash;
    for (const NamedMaterial& named : scene.materials) hash.Add(named);
    for (const MaterialPair& pair : scene.material_pairs) hash.Add(pair);
    for (const BodyDef& body : scene.bodies) hash.Add(body);
    for (const EmitterDef& emitter : scene.emitters) hash.Add(emitter);
    hash.Add(scene.settings);
    if (scene.domain) hash.Add(scene.domain->min_world_m).Add(scene.domain->max_world_m);
    return hash.hasher_.Finish();
  }

 private:
  SceneHash& Add(double value) {
    hasher_.AddValue(std::bit_cast<uint64_t>(value));
    return *this;
  }
  SceneHash& Add(const Vec3& v) { return Add(v.x()).Add(v.y()).Add(v.z()); }
  SceneHash& Add(const Pose& pose) {
    const Quat& q = pose.orientation;
    return Add(pose.position).Add(q.w()).Add(q.x()).Add(q.y()).Add(q.z());
  }
  SceneHash& Add(const std::optional<double>& value) {
    hasher_.AddValue(value.has_value());
    return Add(value.value_or(0.0));
  }
  void Add(const Material& material) {
    Add(material.sliding_friction).Add(material.rolling_friction_m);
    Add(material.spinning_friction_m).Add(material.restitution);
    for (const auto number : kElasticNumbers) Add(material.elasticity.*number);
    for (const auto number : kViscousNumbers) Add(material.elasticity.*number);
  }
  void Add(const NamedMaterial& named) {
    hasher_.AddText(named.name);
    Add(named.material);
  }
  void Add(const MaterialPair& pair) {
    hasher_.AddText(pair.material_a);
    hasher_.AddText(pair.material_b);
    Add(pair.material);
  }
  void Add(const ShapeDef& shape) {
    hasher_.AddValue(static_cast<uint64_t>(shape.geometry.index()));
    if (auto* sphere = std::get_if<Sphere>(&shape.geometry)) Add(sphere->radius_m);
    if (auto* box = std::get_if<Box>(&shape.geometry)) Add(box->half_extents_m);
    if (auto* plane = std::get_if<Plane>(&shape.geometry)) Add(plane->normal);
    if (auto* tray = std::get_if<Container>(&shape.geometry)) {
      Add(tray->inner_length_x_m).Add(tray->inner_length_y_m);
      Add(tray->wall_height_m).Add(tray->thickness_m);
    }
    Add(shape.pose_body);
    hasher_.AddText(shape.material);
  }
  void Add(const BodyDef& body) {
    hasher_.AddText(body.name);
    hasher_.AddValue(body.kind);
    Add(body.pose_world).Add(body.linear_velocity_world_m_s).Add(body.angular_velocity_world_rad_s);
    for (const ShapeDef& shape : body.shapes) Add(shape);
    Add(body.mass_kg).Add(body.density_kg_m3);
    hasher_.AddValue(body.inertia_body_kg_m2.has_value());
    if (body.inertia_body_kg_m2) {
      for (const double term : body.inertia_body_kg_m2->reshaped()) Add(term);
    }
  }
  void Add(const EmitterDef& e) {
    hasher_.AddText(e.name);
    Add(e.center_world_m).Add(e.axis_world).Add(e.nozzle_radius_m).Add(e.nozzle_height_m);
    Add(e.rate_per_s).Add(e.start_time_s).Add(e.radius_min_m).Add(e.radius_max_m);
    Add(e.density_kg_m3).Add(e.speed_m_s);
    hasher_.AddValue(e.particle_count);
    hasher_.AddValue(e.seed);
    hasher_.AddText(e.material);
  }
  void Add(const StepSettings& settings) {
    Add(settings.time_step_s).Add(settings.gravity_world_m_s2).Add(settings.recovery_speed_m_s);
    Add(settings.restitution_threshold_m_s).Add(settings.solver.tolerance).Add(settings.theta);
    hasher_.AddValue(settings.solver.law);
    hasher_.AddValue(settings.solver.solver);
    hasher_.AddValue(settings.solver.max_sweeps);
    hasher_.AddValue(settings.solver.warm_start);
    hasher_.AddValue(settings.solver.facet_count);
    Add(settings.solver.bristle_stiffness_n_m).Add(settings.solver.slip_threshold_m_s);
    Add(settings.solver.psor.relaxation).Add(settings.solver.psor.averaging);
    hasher_.AddValue(settings.solver.psor.sequential);
    hasher_.AddValue(settings.sleep.has_value());
    if (settings.sleep) Add(settings.sleep->speed_m_s).Add(settings.sleep->time_s);
  }

  StateHasher hasher_;
};

TEST(SceneCodec, RandomScenesSurviveTheJourney) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  testing::RandomScenes scenes(seed);
  for (int i = 0; i < 500; ++i) {
    const SceneDef scene = scenes.Make();
    v1::SceneSpec message;
    EncodeScene(scene, message);
    v1::SceneSpec received;
    ASSERT_TRUE(received.ParseFromString(message.SerializeAsString()));
    const absl::StatusOr<SceneDef> decoded = DecodeScene(received, "spec");
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    ASSERT_EQ(SceneHash::Of(*decoded), SceneHash::Of(scene)) << message.DebugString();
  }
}

TEST(SceneCodec, AnEmptyMessageIsTheDefaultScene) {
  const absl::StatusOr<SceneDef> decoded = DecodeScene(v1::SceneSpec(), "spec");
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(SceneHash::Of(*decoded), SceneHash::Of(SceneDef()));
  EXPECT_EQ(decoded->settings.gravity_world_m_s2, Vec3(0, 0, -9.81));
}

TEST(SceneCodec, SleepIsOffUnlessSetAndThenHasItsDefaults) {
  v1::SceneSpec message;
  message.mutable_settings()->set_time_step_s(0.01);
  EXPECT_FALSE(DecodeScene(message, "spec")->settings.sleep.has_value());
  message.mutable_settings()->mutable_sleep();
  absl::StatusOr<SceneDef> decoded = DecodeScene(message, "spec");
  ASSERT_TRUE(decoded->settings.sleep.has_value());
  EXPECT_EQ(decoded->settings.sleep->speed_m_s, 0.005);
  EXPECT_EQ(decoded->settings.sleep->time_s, 0.5);
  message.mutable_settings()->mutable_sleep()->set_time_s(2.0);
  decoded = DecodeScene(message, "spec");
  EXPECT_EQ(decoded->settings.sleep->speed_m_s, 0.005);
  EXPECT_EQ(decoded->settings.sleep->time_s, 2.0);
}

TEST(SceneCodec, EverySolverSurvivesTheJourneyAndPsorWithItsSettings) {
  for (size_t i = 0; i < kSolverKindCount; ++i) {
    SceneDef scene;
    scene.settings.solver.solver = static_cast<SolverKind>(i);
    v1::SceneSpec message;
    EncodeScene(scene, message);
    EXPECT_EQ(message.settings().solver().has_psor(),
              scene.settings.solver.solver == SolverKind::kPsor);
    EXPECT_EQ(static_cast<size_t>(message.settings().solver().solver()), i);
    EXPECT_EQ(DecodeScene(message, "spec")->settings.solver.solver, scene.settings.solver.solver);
  }
  v1::SceneSpec message;
  v1::SolverSettings& solver = *message.mutable_settings()->mutable_solver();
  solver.set_solver(v1::CONTACT_SOLVER_PSOR);
  const auto decode = [&] { return DecodeScene(message, "spec")->settings.solver.psor; };
  EXPECT_EQ(decode(), PsorSettings{});
  solver.mutable_psor();
  EXPECT_EQ(decode(), PsorSettings{});
  solver.mutable_psor()->set_relaxation(1.4);
  EXPECT_EQ(decode(), PsorSettings{.relaxation = 1.4});
  solver.mutable_psor()->set_averaging(0.5);
  solver.mutable_psor()->set_sequential(false);
  EXPECT_EQ(decode(), (PsorSettings{1.4, 0.5, false}));
}

TEST(SceneCodec, UnsetPosesAndAxesTakeTheirDefaults) {
  v1::SceneSpec message;
  message.add_bodies()->add_shapes()->mutable_sphere()->set_radius_m(1.0);
  message.add_emitters();
  const absl::StatusOr<SceneDef> decoded = DecodeScene(message, "spec");
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->bodies[0].pose_world.orientation.coeffs(), Quat::Identity().coeffs());
  EXPECT_EQ(decoded->bodies[0].shapes[0].pose_body.orientation.coeffs(), Quat::Identity().coeffs());
  EXPECT_EQ(decoded->emitters[0].axis_world, Vec3(0, 0, -1));
  EXPECT_FALSE(decoded->bodies[0].mass_kg.has_value());
  EXPECT_FALSE(decoded->domain.has_value());
}

void ExpectRefused(const v1::SceneSpec& message, const std::string& field,
                   const std::string& value) {
  const absl::StatusOr<SceneDef> decoded = DecodeScene(message, "spec");
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(decoded.status().code(), absl::StatusCode::kInvalidArgument);
  const auto parts = GetFieldError(decoded.status());
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->field, field);
  EXPECT_EQ(parts->value, value);
  EXPECT_EQ(parts->allowed.rfind("must be", 0), 0u) << parts->allowed;
}

TEST(SceneCodec, AnUnsetGeometryIsRefusedByItsPath) {
  v1::SceneSpec message;
  for (int i = 0; i < 4; ++i) message.add_bodies()->add_shapes()->mutable_sphere();
  message.mutable_bodies(3)->add_shapes();
  ExpectRefused(message, "spec.bodies[3].shapes[1].geometry", "unset");
}

TEST(SceneCodec, UnknownEnumValuesAreRefusedByTheirPath) {
  v1::SceneSpec body;
  body.add_bodies();
  body.add_bodies()->set_kind(static_cast<v1::BodyKind>(17));
  ExpectRefused(body, "spec.bodies[1].kind", "17");
  v1::SceneSpec law;
  law.mutable_settings()->mutable_solver()->set_law(static_cast<v1::ContactLaw>(-3));
  ExpectRefused(law, "spec.settings.solver.law", "-3");
  v1::SceneSpec solver;
  solver.mutable_settings()->mutable_solver()->set_solver(static_cast<v1::ContactSolver>(99));
  ExpectRefused(solver, "spec.settings.solver.solver", "99");
}

// Where it holds the defaults, too.
TEST(SceneCodec, PsorIsRefusedWithAnotherSolver) {
  for (size_t i = 0; i < kSolverKindCount; ++i) {
    if (static_cast<SolverKind>(i) == SolverKind::kPsor) continue;
    v1::SceneSpec message;
    v1::SolverSettings& solver = *message.mutable_settings()->mutable_solver();
    solver.set_solver(static_cast<v1::ContactSolver>(i));
    solver.mutable_psor();
    ExpectRefused(message, "spec.settings.solver.psor", "given");
  }
}

TEST(BodyCodec, BodiesOfARequestAreNamedFromItsRoot) {
  v1::SceneSpec message;
  message.add_bodies()->add_shapes();
  const auto decoded = DecodeBodies(message.bodies(), nullptr);
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(GetFieldError(decoded.status())->field, "bodies[0].shapes[0].geometry");
}

}  // namespace
}  // namespace talus::wire
