// A valid scene, and for each rule one thing that breaks it, with the message it must give.
#include "solver/scene/validate.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "solver/base/field_error.h"
#include "tests/support/special_numbers.h"

namespace talus {
namespace {

using testing::kInfinity;
using testing::kNan;

SceneDef MakeScene() {
  SceneDef scene;
  scene.materials.push_back({"stone", {0.6, 0.01, 0.01, 0.5}});
  BodyDef ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shapes.resize(3);
  ground.shapes[0].geometry = Plane{Vec3(0, 0, 2)};
  ground.shapes[1].geometry = Container{2.0, 2.0, 0.5, 0.1};
  ground.shapes[2].geometry = Box{Vec3(1, 1, 1)};
  ground.shapes[2].material = "stone";
  scene.bodies.push_back(ground);
  BodyDef ball;
  ball.name = "ball-1_x.y";
  ball.shapes.resize(1);
  ball.shapes[0].geometry = Sphere{0.5};
  ball.density_kg_m3 = 1000.0;
  scene.bodies.push_back(ball);
  EmitterDef nozzle;
  nozzle.name = "nozzle";
  nozzle.axis_world = Vec3(0, 0, -3);
  nozzle.rate_per_s = 10.0;
  nozzle.particle_count = 5;
  nozzle.radius_min_m = 0.01;
  nozzle.radius_max_m = 0.02;
  nozzle.density_kg_m3 = 2000.0;
  nozzle.material = "stone";
  scene.emitters.push_back(nozzle);
  scene.domain = Domain{Vec3(-1, -1, -1), Vec3(1, 1, 1)};
  return scene;
}

Mat3 Diagonal(double xx, double yy, double zz) { return Vec3(xx, yy, zz).asDiagonal(); }

TEST(ValidateTest, TheValidScenePassesAndIsNormalised) {
  SceneDef scene = MakeScene();
  scene.bodies[1].pose_world.orientation = Quat(1.0 + 5e-7, 0, 0, 0);
  ASSERT_TRUE(ValidateScene(scene).ok()) << ValidateScene(scene);
  EXPECT_EQ(std::get<Plane>(scene.bodies[0].shapes[0].geometry).normal, Vec3(0, 0, 1));
  EXPECT_EQ(scene.emitters[0].axis_world, Vec3(0, 0, -1));
  EXPECT_EQ(scene.bodies[1].pose_world.orientation.w(), 1.0);
}

TEST(ValidateTest, ADirectionOfAnyLengthIsADirection) {
  for (const double length : {5e-324, 1e-200, 1.0, 1e200, 1.7e308}) {
    SceneDef scene = MakeScene();
    scene.emitters[0].axis_world = Vec3(length, 0, 0);
    ASSERT_TRUE(ValidateScene(scene).ok());
    EXPECT_EQ(scene.emitters[0].axis_world, Vec3(1, 0, 0));
  }
}

struct BadCase {
  std::string message;
  std::function<void(SceneDef&)> spoil;
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
};

void ExpectRefused(const std::vector<BadCase>& cases) {
  for (const BadCase& bad : cases) {
    SceneDef scene = MakeScene();
    bad.spoil(scene);
    const absl::Status status = ValidateScene(scene);
    EXPECT_EQ(status.code(), bad.code) << bad.message;
    EXPECT_EQ(std::string(status.message()), bad.message);
    EXPECT_TRUE(GetFieldError(status).has_value()) << bad.message;
  }
}

TEST(ValidateTest, Materials) {
  ExpectRefused({
      {"materials[0].name = \"\" must be 1 to 64 ASCII letters, digits, '-', '_', '.'",
       [](SceneDef& s) { s.materials[0].name = ""; }},
      {"materials[1].name = \"stone\" must be unique in the scene",
       [](SceneDef& s) { s.materials.push_back(s.materials[0]); },
       absl::StatusCode::kAlreadyExists},
      {"materials[0].material.sliding_friction = -0.1 must be >= 0",
       [](SceneDef& s) { s.materials[0].material.sliding_friction = -0.1; }},
      {"materials[0].material.sliding_friction = nan must be >= 0",
       [](SceneDef& s) { s.materials[0].material.sliding_friction = kNan; }},
      {"materials[0].material.rolling_friction_m = inf must be finite",
       [](SceneDef& s) { s.materials[0].material.rolling_friction_m = kInfinity; }},
      {"materials[0].material.spinning_friction_m = -1 must be >= 0",
       [](SceneDef& s) { s.materials[0].material.spinning_friction_m = -1; }},
      {"materials[0].material.restitution = 1.5 must be in [0, 1]",
       [](SceneDef& s) { s.materials[0].material.restitution = 1.5; }},
      {"materials[0].material.restitution = nan must be in [0, 1]",
       [](SceneDef& s) { s.materials[0].material.restitution = kNan; }},
  });
}

TEST(ValidateTest, BodyNamesAndMotion) {
  ExpectRefused({
      {"bodies[1].name = \"a b\" must be 1 to 64 ASCII letters, digits, '-', '_', '.'",
       [](SceneDef& s) { s.bodies[1].name = "a b"; }},
      {"bodies[1].name = \"" + std::string(65, 'a') +
           "\" must be 1 to 64 ASCII letters, digits, '-', '_', '.'",
       [](SceneDef& s) { s.bodies[1].name = std::string(65, 'a'); }},
      {"bodies[1].name = \"ground\" must be unique in the scene",
       [](SceneDef& s) { s.bodies[1].name = "ground"; }, absl::StatusCode::kAlreadyExists},
      {"bodies[1].kind = 7 must be DYNAMIC, STATIC or KINEMATIC",
       [](SceneDef& s) { s.bodies[1].kind = static_cast<BodyKind>(7); }},
      {"bodies[1].position_world_m.y = nan must be finite",
       [](SceneDef& s) { s.bodies[1].pose_world.position.y() = kNan; }},
      {"bodies[1].position_world_m.z = -2e+09 must be in [-1e+09, 1e+09]",
       [](SceneDef& s) { s.bodies[1].pose_world.position.z() = -2e9; }},
      {"bodies[1].orientation_world = (1.001, 0, 0, 0) must be a unit quaternion (w, x, y, z)",
       [](SceneDef& s) { s.bodies[1].pose_world.orientation.w() = 1.001; }},
      {"bodies[1].orientation_world = (nan, 0, 0, 0) must be a unit quaternion (w, x, y, z)",
       [](SceneDef& s) { s.bodies[1].pose_world.orientation.w() = kNan; }},
      {"bodies[1].orientation_world = (0, 0, 0, 0) must be a unit quaternion (w, x, y, z)",
       [](SceneDef& s) { s.bodies[1].pose_world.orientation.w() = 0.0; }},
      {"bodies[1].linear_velocity_world_m_s.x = inf must be finite",
       [](SceneDef& s) { s.bodies[1].linear_velocity_world_m_s.x() = kInfinity; }},
      {"bodies[1].linear_velocity_world_m_s.x = 1e+07 must be in [-1e+06, 1e+06]",
       [](SceneDef& s) { s.bodies[1].linear_velocity_world_m_s.x() = 1e7; }},
      {"bodies[1].angular_velocity_world_rad_s.z = -inf must be finite",
       [](SceneDef& s) { s.bodies[1].angular_velocity_world_rad_s.z() = -kInfinity; }},
      {"bodies[0].linear_velocity_world_m_s = (1, 0, 0) must be zero on a static body",
       [](SceneDef& s) { s.bodies[0].linear_velocity_world_m_s.x() = 1.0; }},
      {"bodies[0].angular_velocity_world_rad_s = (0, 1, 0) must be zero on a static body",
       [](SceneDef& s) { s.bodies[0].angular_velocity_world_rad_s.y() = 1.0; }},
  });
}

TEST(ValidateTest, Shapes) {
  ExpectRefused({
      {"size(bodies[1].shapes) = 0 must be in [1, 64] on a dynamic body without mass_kg and "
       "inertia_body_kg_m2: they follow from its shapes",
       [](SceneDef& s) { s.bodies[1].shapes.clear(); }},
      {"size(bodies[0].shapes) = 65 must be in [0, 64]",
       [](SceneDef& s) { s.bodies[0].shapes.resize(65, s.bodies[0].shapes[2]); }},
      {"bodies[1].shapes[0].sphere.radius_m = 0 must be > 0",
       [](SceneDef& s) { s.bodies[1].shapes[0].geometry = Sphere{0.0}; }},
      {"bodies[1].shapes[0].sphere.radius_m = nan must be > 0",
       [](SceneDef& s) { s.bodies[1].shapes[0].geometry = Sphere{kNan}; }},
      {"bodies[1].shapes[0].sphere.radius_m = 1e-07 must be in [1e-06, 1e+06]",
       [](SceneDef& s) { s.bodies[1].shapes[0].geometry = Sphere{1e-7}; }},
      {"bodies[0].shapes[2].box.half_extents_m.y = -1 must be > 0",
       [](SceneDef& s) { s.bodies[0].shapes[2].geometry = Box{Vec3(1, -1, 1)}; }},
      {"bodies[0].shapes[2].box.half_extents_m.z = inf must be finite",
       [](SceneDef& s) { s.bodies[0].shapes[2].geometry = Box{Vec3(1, 1, kInfinity)}; }},
      {"bodies[0].shapes[0].plane.normal = (0, 0, 0) must not be zero",
       [](SceneDef& s) { s.bodies[0].shapes[0].geometry = Plane{Vec3::Zero()}; }},
      {"bodies[0].shapes[0].plane.normal = (nan, 0, 1) must be finite",
       [](SceneDef& s) { s.bodies[0].shapes[0].geometry = Plane{Vec3(kNan, 0, 1)}; }},
      {"bodies[0].shapes[1].container.inner_length_x_m = 0 must be > 0",
       [](SceneDef& s) {
         s.bodies[0].shapes[1].geometry = Container{0.0, 2.0, 0.5, 0.1};
       }},
      {"bodies[0].shapes[1].container.inner_length_y_m = -2 must be > 0",
       [](SceneDef& s) {
         s.bodies[0].shapes[1].geometry = Container{2.0, -2.0, 0.5, 0.1};
       }},
      {"bodies[0].shapes[1].container.wall_height_m = -0.5 must be >= 0",
       [](SceneDef& s) {
         s.bodies[0].shapes[1].geometry = Container{2.0, 2.0, -0.5, 0.1};
       }},
      {"bodies[0].shapes[1].container.thickness_m = nan must be > 0",
       [](SceneDef& s) {
         s.bodies[0].shapes[1].geometry = Container{2.0, 2.0, 0.5, kNan};
       }},
      {"bodies[1].shapes[0].geometry = plane must be sphere or box on a dynamic body",
       [](SceneDef& s) { s.bodies[1].shapes[0].geometry = Plane{}; }},
      {"bodies[1].shapes[0].geometry = container must be sphere or box on a dynamic body",
       [](SceneDef& s) {
         s.bodies[1].shapes[0].geometry = Container{2.0, 2.0, 0.5, 0.1};
       }},
      {"bodies[1].shapes[0].position_body_m.x = nan must be finite",
       [](SceneDef& s) { s.bodies[1].shapes[0].pose_body.position.x() = kNan; }},
      {"bodies[0].shapes[0].orientation_body = (2, 0, 0, 0) must be a unit quaternion (w, x, y, z)",
       [](SceneDef& s) { s.bodies[0].shapes[0].pose_body.orientation.w() = 2.0; }},
      {"bodies[0].shapes[2].material = \"ice\" must name a material of the scene",
       [](SceneDef& s) { s.bodies[0].shapes[2].material = "ice"; }},
  });
}

TEST(ValidateTest, Mass) {
  ExpectRefused({
      {"bodies[1].mass_kg = unset must be set on a dynamic body, or density_kg_m3 instead",
       [](SceneDef& s) { s.bodies[1].density_kg_m3.reset(); }},
      {"bodies[1].density_kg_m3 = 1000 must be unset when mass_kg is set",
       [](SceneDef& s) { s.bodies[1].mass_kg = 1.0; }},
      {"bodies[1].mass_kg = -2 must be > 0", [](SceneDef& s) { s.bodies[1].mass_kg = -2.0; }},
      {"bodies[1].mass_kg = nan must be > 0", [](SceneDef& s) { s.bodies[1].mass_kg = kNan; }},
      {"bodies[1].mass_kg = inf must be finite",
       [](SceneDef& s) { s.bodies[1].mass_kg = kInfinity; }},
      {"bodies[1].density_kg_m3 = 0 must be > 0",
       [](SceneDef& s) { s.bodies[1].density_kg_m3 = 0.0; }},
      {"bodies[1].density_kg_m3 = 1000 must give a mass in [1e-12, 1e+15] kg",
       [](SceneDef& s) { s.bodies[1].shapes[0].geometry = Sphere{1e-6}; }},
      {"bodies[1].shapes = centre of mass at (1, 0, 0) must have their centre of mass at the body "
       "origin",
       [](SceneDef& s) { s.bodies[1].shapes[0].pose_body.position.x() = 1.0; }},
      {"bodies[1].inertia_body_kg_m2.yy = -1 must be > 0",
       [](SceneDef& s) { s.bodies[1].inertia_body_kg_m2 = Diagonal(1, -1, 1); }},
      {"bodies[1].inertia_body_kg_m2.xx = nan must be > 0",
       [](SceneDef& s) { s.bodies[1].inertia_body_kg_m2 = Diagonal(kNan, 1, 1); }},
      {"bodies[1].inertia_body_kg_m2 = principal moments (1, 1, 3) must obey the triangle "
       "inequality: none above the sum of the others",
       [](SceneDef& s) { s.bodies[1].inertia_body_kg_m2 = Diagonal(1, 1, 3); }},
      {"bodies[1].inertia_body_kg_m2.xy = 0.25 must equal its mirror 0",
       [](SceneDef& s) {
         s.bodies[1].inertia_body_kg_m2 = Diagonal(1, 1, 1);
         (*s.bodies[1].inertia_body_kg_m2)(0, 1) = 0.25;
       }},
      {"bodies[1].inertia_body_kg_m2.yz = inf must be finite",
       [](SceneDef& s) {
         s.bodies[1].inertia_body_kg_m2 = Diagonal(1, 1, 1);
         (*s.bodies[1].inertia_body_kg_m2)(1, 2) = kInfinity;
       }},
  });
}

TEST(ValidateTest, AnIndefiniteInertiaIsRefused) {
  SceneDef scene = MakeScene();
  Mat3 inertia = Diagonal(1, 1, 1);
  inertia(0, 1) = inertia(1, 0) = 2.0;
  scene.bodies[1].inertia_body_kg_m2 = inertia;
  const absl::Status status = ValidateScene(scene);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(std::string(status.message()).find("must be positive definite"), std::string::npos);
}

TEST(ValidateTest, ABodyWithMassAndInertiaMayHaveItsShapesAnywhere) {
  SceneDef scene = MakeScene();
  scene.bodies[1].density_kg_m3.reset();
  scene.bodies[1].mass_kg = 2.0;
  scene.bodies[1].inertia_body_kg_m2 = Diagonal(1, 1, 2);
  scene.bodies[1].shapes[0].pose_body.position.x() = 1.0;
  EXPECT_TRUE(ValidateScene(scene).ok());
  const MassProperties mass = ResolveMass(scene.bodies[1]);
  EXPECT_EQ(mass.mass_kg, 2.0);
  EXPECT_EQ(mass.inertia_body_kg_m2, Diagonal(1, 1, 2));
}

TEST(ValidateTest, ACompoundAboutItsCentreOfMassPasses) {
  SceneDef scene = MakeScene();
  scene.bodies[1].shapes.resize(2, scene.bodies[1].shapes[0]);
  scene.bodies[1].shapes[0].pose_body.position.x() = 1.0;
  scene.bodies[1].shapes[1].pose_body.position.x() = -1.0;
  EXPECT_TRUE(ValidateScene(scene).ok());
}

TEST(ValidateTest, Emitters) {
  ExpectRefused({
      {"emitters[0].name = \"\" must be 1 to 64 ASCII letters, digits, '-', '_', '.'",
       [](SceneDef& s) { s.emitters[0].name = ""; }},
      {"emitters[1].name = \"nozzle\" must be unique in the scene",
       [](SceneDef& s) { s.emitters.push_back(s.emitters[0]); }, absl::StatusCode::kAlreadyExists},
      {"emitters[0].center_world_m.x = nan must be finite",
       [](SceneDef& s) { s.emitters[0].center_world_m.x() = kNan; }},
      {"emitters[0].axis_world = (0, 0, 0) must not be zero",
       [](SceneDef& s) { s.emitters[0].axis_world.setZero(); }},
      {"emitters[0].nozzle_radius_m = -1 must be >= 0",
       [](SceneDef& s) { s.emitters[0].nozzle_radius_m = -1; }},
      {"emitters[0].nozzle_height_m = inf must be finite",
       [](SceneDef& s) { s.emitters[0].nozzle_height_m = kInfinity; }},
      {"emitters[0].rate_per_s = 0 must be > 0",
       [](SceneDef& s) { s.emitters[0].rate_per_s = 0.0; }},
      {"emitters[0].rate_per_s = inf must be finite",
       [](SceneDef& s) { s.emitters[0].rate_per_s = kInfinity; }},
      {"emitters[0].particle_count = 0 must be in [1, 10000000]",
       [](SceneDef& s) { s.emitters[0].particle_count = 0; }},
      {"emitters[0].start_time_s = -1 must be >= 0",
       [](SceneDef& s) { s.emitters[0].start_time_s = -1; }},
      {"emitters[0].radius_min_m = 0 must be > 0",
       [](SceneDef& s) { s.emitters[0].radius_min_m = 0.0; }},
      {"emitters[0].radius_max_m = 0.005 must be in [0.01, 1e+06]",
       [](SceneDef& s) { s.emitters[0].radius_max_m = 0.005; }},
      {"emitters[0].radius_max_m = nan must be in [0.01, 1e+06]",
       [](SceneDef& s) { s.emitters[0].radius_max_m = kNan; }},
      {"emitters[0].density_kg_m3 = -5 must be > 0",
       [](SceneDef& s) { s.emitters[0].density_kg_m3 = -5; }},
      {"emitters[0].density_kg_m3 = 2000 must give particles a mass in [1e-12, 1e+15] kg",
       [](SceneDef& s) { s.emitters[0].radius_min_m = 1e-6; }},
      {"emitters[0].speed_m_s = nan must be finite",
       [](SceneDef& s) { s.emitters[0].speed_m_s = kNan; }},
      {"emitters[0].material = \"ice\" must name a material of the scene",
       [](SceneDef& s) { s.emitters[0].material = "ice"; }},
  });
}

TEST(ValidateTest, SettingsAndDomain) {
  ExpectRefused({
      {"settings.time_step_s = 0 must be in [1e-06, 1]",
       [](SceneDef& s) { s.settings.time_step_s = 0.0; }},
      {"settings.time_step_s = nan must be in [1e-06, 1]",
       [](SceneDef& s) { s.settings.time_step_s = kNan; }},
      {"settings.gravity_world_m_s2.z = inf must be finite",
       [](SceneDef& s) { s.settings.gravity_world_m_s2.z() = kInfinity; }},
      {"settings.recovery_speed_m_s = -1 must be >= 0",
       [](SceneDef& s) { s.settings.recovery_speed_m_s = -1; }},
      {"settings.restitution_threshold_m_s = nan must be >= 0",
       [](SceneDef& s) { s.settings.restitution_threshold_m_s = kNan; }},
      {"settings.solver.tolerance = 0 must be in [1e-14, 1]",
       [](SceneDef& s) { s.settings.solver.tolerance = 0.0; }},
      {"settings.solver.max_sweeps = 0 must be in [1, 1000000]",
       [](SceneDef& s) { s.settings.solver.max_sweeps = 0; }},
      {"settings.sleep.speed_m_s = 0 must be > 0",
       [](SceneDef& s) {
         s.settings.sleep = SleepSettings{0.0, 0.5};
       }},
      {"settings.sleep.speed_m_s = nan must be > 0",
       [](SceneDef& s) {
         s.settings.sleep = SleepSettings{kNan, 0.5};
       }},
      {"settings.sleep.time_s = nan must be in [0, 1000]",
       [](SceneDef& s) {
         s.settings.sleep = SleepSettings{0.01, kNan};
       }},
      {"settings.sleep.time_s = 1001 must be in [0, 1000]",
       [](SceneDef& s) {
         s.settings.sleep = SleepSettings{0.01, 1001.0};
       }},
      {"settings.sleep.time_s = 0.2 must be > 2 speed_m_s / |gravity| = 0.2, the time a body that "
       "flies may be that slow",
       [](SceneDef& s) {
         s.settings.gravity_world_m_s2 = Vec3(0.0, -5.0, 0.0);
         s.settings.sleep = SleepSettings{0.5, 0.2};
       }},
      {"domain.min_world_m.x = nan must be finite",
       [](SceneDef& s) { s.domain->min_world_m.x() = kNan; }},
      {"domain.max_world_m.y = -1 must be > domain.min_world_m.y = -1",
       [](SceneDef& s) { s.domain->max_world_m.y() = -1.0; }},
  });
}

TEST(ValidateTest, SleepMayBeImmediateWithoutGravity) {
  SceneDef scene = MakeScene();
  scene.settings.sleep = SleepSettings{0.5, 0.0};
  EXPECT_FALSE(ValidateScene(scene).ok());
  scene.settings.gravity_world_m_s2.setZero();
  EXPECT_TRUE(ValidateScene(scene).ok());
  scene.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, -9.81);
  scene.settings.sleep = SleepSettings();
  EXPECT_TRUE(ValidateScene(scene).ok());
}

TEST(ValidateTest, AdditionsMeetTheNamesThatAreTaken) {
  const NameTest taken = [](std::string_view name) { return name == "taken"; };
  SceneDef scene = MakeScene();
  scene.materials[0].name = scene.bodies[1].name = scene.emitters[0].name = "taken";
  scene.bodies[0].shapes[2].material = scene.emitters[0].material = "taken";
  EXPECT_EQ(ValidateMaterials(scene.materials, taken).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ValidateBodies(scene.bodies, taken, taken).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ValidateEmitters(scene.emitters, taken, taken).code(),
            absl::StatusCode::kAlreadyExists);
}

}  // namespace
}  // namespace talus
