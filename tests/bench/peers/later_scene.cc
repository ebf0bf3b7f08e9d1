#include "tests/bench/peers/later_scene.h"

#include <variant>

namespace talus::peers {
namespace {

BodyDef Particle(const EmitterDef& emitter, double radius_m) {
  BodyDef particle;
  particle.shapes.push_back({Sphere{radius_m}, Pose{}, emitter.material});
  particle.density_kg_m3 = emitter.density_kg_m3;
  return particle;
}

}  // namespace

SceneDef WithoutPast(const World& world, const SceneDef& scene) {
  SceneDef now = scene;
  const BodyStateView state = world.bodies();
  while (now.bodies.size() < state.ids.size()) {
    now.bodies.push_back(Particle(now.emitters.at(0), world.sphere_radius_m(now.bodies.size())));
  }
  now.emitters.clear();
  for (size_t row = 0; row < now.bodies.size(); ++row) {
    BodyDef& body = now.bodies[row];
    if (body.kind != BodyKind::kDynamic) continue;
    body.pose_world = {state.positions[row], state.orientations[row]};
    body.linear_velocity_world_m_s = state.linear_velocities[row];
    body.angular_velocity_world_rad_s = state.angular_velocities[row];
  }
  return now;
}

SceneDef WithoutWalls(const World& world, const SceneDef& scene) {
  SceneDef now = WithoutPast(world, scene);
  for (BodyDef& body : now.bodies) {
    for (ShapeDef& shape : body.shapes) {
      if (Container* tray = std::get_if<Container>(&shape.geometry)) {
        tray->wall_height_m = 0.0;
        tray->inner_length_x_m *= 20.0;
        tray->inner_length_y_m *= 20.0;
      }
    }
  }
  return now;
}

}  // namespace talus::peers
