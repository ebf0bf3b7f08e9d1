// A body on a floor that gives way, for tests of elastic and creeping contacts.
#pragma once

#include <vector>

#include "tests/support/worlds.h"

namespace talus::testing {

inline constexpr double kElasticContactsGravity = 10.0;

// A rigid floor, and a body of the material "soft" on it, touching it.
inline SceneDef OnFloor(const Geometry& shape, double height, const Elasticity& elasticity,
                        const Material& friction = {1.0, 1.0, 1.0, 0.0}) {
  SceneDef scene;
  scene.materials.push_back({"floor", friction});
  scene.materials.push_back({"soft", friction});
  scene.materials.back().material.elasticity = elasticity;
  BodyDef floor;
  floor.kind = BodyKind::kStatic;
  floor.shapes.push_back({Plane{}, Pose{}, "floor"});
  scene.bodies.push_back(floor);
  BodyDef body;
  body.shapes.push_back({shape, Pose{}, "soft"});
  body.mass_kg = 2.0;
  body.pose_world.position.z() = height;
  scene.bodies.push_back(body);
  scene.settings.time_step_s = 1e-3;
  scene.settings.gravity_world_m_s2 = Vec3(0.0, 0.0, -kElasticContactsGravity);
  scene.settings.solver.tolerance = 1e-12;
  return scene;
}

inline Vec3 PositionOf(const World& world) { return world.bodies().positions[1]; }
inline Vec3 VelocityOf(const World& world) { return world.bodies().linear_velocities[1]; }

struct LawAndSolver {
  ContactLaw law;
  SolverKind solver;
};
inline const std::vector<LawAndSolver> kAll = {{ContactLaw::kNcp, SolverKind::kAlartCurnier},
                                               {ContactLaw::kNcp, SolverKind::kNewton},
                                               {ContactLaw::kCcp, SolverKind::kAcceleratedPsor},
                                               {ContactLaw::kCcp, SolverKind::kPsor},
                                               {ContactLaw::kCcp, SolverKind::kApgd},
                                               {ContactLaw::kCcp, SolverKind::kNewton}};

// A block on four corners under a load to the side of 4 N, of the 10 N that μ bears.
inline SceneDef BlockUnderALoad(const LawAndSolver& chosen, const Elasticity& elasticity) {
  SceneDef scene = OnFloor(Box{Vec3(0.2, 0.2, 0.05)}, 0.05, elasticity, {0.5, 0.0, 0.0, 0.0});
  scene.settings.gravity_world_m_s2 = Vec3(1.2, 1.6, -10.0);
  scene.settings.solver.law = chosen.law;
  scene.settings.solver.solver = chosen.solver;
  return scene;
}

}  // namespace talus::testing
