// Scene descriptions with every field filled at random, for tests that ask whether a description
// survives a journey. The numbers are finite but need not make physical sense.
#pragma once

#include <string>

#include "solver/base/random.h"
#include "solver/scene/scene_def.h"

namespace talus::testing {

class RandomScenes {
 public:
  explicit RandomScenes(uint64_t seed) : random_(seed) {}

  SceneDef Make() {
    SceneDef scene;
    for (int64_t i = Count(4); i > 0; --i) {
      scene.materials.push_back({Name(), MakeMaterial()});
    }
    for (int64_t i = Count(3); i > 0; --i) {
      scene.material_pairs.push_back({Name(), Name(), MakeMaterial()});
    }
    for (int64_t i = Count(6); i > 0; --i) scene.bodies.push_back(MakeBody());
    for (int64_t i = Count(3); i > 0; --i) scene.emitters.push_back(MakeEmitter());
    scene.settings = MakeSettings();
    if (Coin()) scene.domain = Domain{Vector(), Vector()};
    return scene;
  }

 private:
  int64_t Count(uint64_t most) { return static_cast<int64_t>(random_.Next() % (most + 1)); }
  bool Coin() { return random_.Next() % 2 == 0; }
  // Many magnitudes, both signs, and zeros of both signs.
  double Number() {
    switch (random_.Next() % 8) {
      case 0:
        return 0.0;
      case 1:
        return -0.0;
      default:
        return random_.Uniform(-1.0, 1.0) * std::pow(10.0, random_.Uniform(-300.0, 300.0));
    }
  }
  Vec3 Vector() {
    const double x = Number();
    const double y = Number();
    return Vec3(x, y, Number());
  }
  Quat Rotation() {
    const double w = Number();
    const Vec3 v = Vector();
    return Quat(w, v.x(), v.y(), v.z());
  }
  std::string Name() { return std::to_string(random_.Next() % 1000) + "n"; }

  Material MakeMaterial() {
    Material material;
    for (const auto number : kMaterialNumbers) material.*number = Number();
    for (const auto number : kElasticNumbers) material.elasticity.*number = Number();
    for (const auto number : kViscousNumbers) material.elasticity.*number = Number();
    return material;
  }

  Geometry MakeGeometry() {
    switch (random_.Next() % 4) {
      case 0:
        return Sphere{Number()};
      case 1:
        return Box{Vector()};
      case 2:
        return Plane{Vector()};
      default: {
        const double x = Number();
        const double y = Number();
        const double height = Number();
        return Container{x, y, height, Number()};
      }
    }
  }

  BodyDef MakeBody() {
    BodyDef body;
    if (Coin()) body.name = Name();
    body.kind = static_cast<BodyKind>(random_.Next() % 3);
    body.pose_world = {Vector(), Rotation()};
    body.linear_velocity_world_m_s = Vector();
    body.angular_velocity_world_rad_s = Vector();
    for (int64_t i = Count(3); i > 0; --i) {
      Geometry geometry = MakeGeometry();
      Pose pose{Vector(), Rotation()};
      body.shapes.push_back({std::move(geometry), pose, Coin() ? Name() : ""});
    }
    if (Coin()) body.mass_kg = Number();
    if (Coin()) body.density_kg_m3 = Number();
    if (Coin()) {
      Mat3 inertia = Mat3::Zero();
      for (int row = 0; row < 3; ++row) {
        for (int column = row; column < 3; ++column) {
          inertia(row, column) = inertia(column, row) = Number();
        }
      }
      body.inertia_body_kg_m2 = inertia;
    }
    return body;
  }

  EmitterDef MakeEmitter() {
    EmitterDef emitter;
    emitter.name = Name();
    emitter.center_world_m = Vector();
    emitter.axis_world = Vector();
    emitter.nozzle_radius_m = Number();
    emitter.nozzle_height_m = Number();
    emitter.rate_per_s = Number();
    emitter.particle_count = static_cast<int64_t>(random_.Next());
    emitter.start_time_s = Number();
    emitter.seed = random_.Next();
    emitter.radius_min_m = Number();
    emitter.radius_max_m = Number();
    emitter.density_kg_m3 = Number();
    emitter.material = Name();
    emitter.speed_m_s = Number();
    return emitter;
  }

  StepSettings MakeSettings() {
    StepSettings settings;
    settings.time_step_s = Number();
    settings.gravity_world_m_s2 = Vector();
    settings.recovery_speed_m_s = Number();
    settings.restitution_threshold_m_s = Number();
    settings.solver.law = static_cast<ContactLaw>(random_.Next() % 5);
    settings.solver.solver = static_cast<SolverKind>(random_.Next() % kSolverKindCount);
    if (settings.solver.solver == SolverKind::kPsor) {
      settings.solver.psor = {Number(), Number(), Coin()};
    }
    settings.solver.tolerance = Number();
    settings.solver.max_sweeps = static_cast<int32_t>(random_.Next());
    settings.solver.warm_start = Coin();
    settings.solver.facet_count = static_cast<int32_t>(random_.Next());
    settings.solver.bristle_stiffness_n_m = Number();
    settings.solver.slip_threshold_m_s = Number();
    if (Coin()) settings.sleep = SleepSettings{Number(), Number()};
    return settings;
  }

  Random random_;
};

}  // namespace talus::testing
