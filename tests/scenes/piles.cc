#include "tests/scenes/piles.h"

#include <algorithm>
#include <cmath>

#include "solver/base/random.h"
#include "tests/scenes/gravel.h"

namespace talus::scenes {
SceneDef GravelPile(const GravelPileOptions& options) {
  SceneDef scene;
  scene.materials.push_back(MakeGravel(options.sliding_friction, options.rolling_friction_m,
                                       options.spinning_friction_m));
  scene.bodies.push_back(MakeTray(options.tray_length_m, options.walled ? 1.0 : 0.0));
  scene.settings.time_step_s = 0.005;

  // The scene of clients/scenes/gravel_pile.json; tests/integration/python compares the two. The
  // initial speed lets 800 spheres a second leave a disc of radius 0.15 m without waiting for a
  // place.
  EmitterDef nozzle;
  nozzle.name = "nozzle";
  nozzle.center_world_m = Vec3(0.0, 0.0, 1.0);
  nozzle.axis_world = -Vec3::UnitZ();
  nozzle.nozzle_radius_m = 0.15;
  nozzle.nozzle_height_m = 0.0;
  nozzle.speed_m_s = 1.4;
  nozzle.rate_per_s = options.rate_per_s;
  nozzle.particle_count = options.particles;
  nozzle.seed = options.seed;
  nozzle.radius_min_m = kGravelRadius;
  nozzle.radius_max_m = kGravelRadius;
  nozzle.density_kg_m3 = kGravelDensity;
  nozzle.material = "gravel";
  scene.emitters.push_back(nozzle);

  const double reach = 0.5 * options.tray_length_m + (options.walled ? 1.0 : 0.2);
  scene.domain = Domain{Vec3(-reach, -reach, -0.5), Vec3(reach, reach, 4.0)};
  return scene;
}

SceneDef PackedSpheres(const PackedSpheresOptions& options) {
  SceneDef scene;
  scene.materials.push_back(MakeGravel(options.sliding_friction, options.rolling_friction_m,
                                       options.spinning_friction_m));
  scene.settings.time_step_s = 0.005;
  const double pitch = 2.1 * kGravelRadius;
  const auto columns =
      std::max<int64_t>(2, std::llround(std::cbrt(static_cast<double>(options.count))));
  const double length = (static_cast<double>(columns) + 0.5) * pitch + 0.1 * kGravelRadius;
  scene.bodies.push_back(MakeTray(length, 3.0 * length));
  Random random(options.seed);
  for (int64_t index = 0; index < options.count; ++index) {
    const auto cell = [&](int64_t number) {
      return (static_cast<double>(number % columns) + 0.5) * pitch -
             0.5 * static_cast<double>(columns) * pitch;
    };
    const int64_t layer = index / (columns * columns);
    const double jitter = 0.04 * kGravelRadius;
    // Every other layer is shifted, so that stones fall into hollows and not onto each other's
    // tops.
    const double shift = layer % 2 == 0 ? 0.25 * pitch : -0.25 * pitch;
    scene.bodies.push_back(MakeStone(
        Vec3(cell(index) + shift + random.Uniform(-jitter, jitter),
             cell(index / columns) + shift + random.Uniform(-jitter, jitter),
             (static_cast<double>(layer) + 0.5) * pitch + random.Uniform(-jitter, jitter))));
  }
  return scene;
}

SceneDef Stack(const StackOptions& options) {
  SceneDef scene;
  scene.materials.push_back({"block", {options.sliding_friction, 0.0, 0.0, 0.0}});
  scene.settings.time_step_s = options.time_step_s;
  BodyDef ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shapes.resize(1);
  ground.shapes[0].geometry = Plane{};
  ground.shapes[0].material = "block";
  scene.bodies.push_back(ground);
  for (int level = 0; level < options.count; ++level) {
    BodyDef cube;
    cube.pose_world.position = Vec3(0.0, 0.0, level + 0.5);
    cube.shapes.resize(1);
    cube.shapes[0].geometry = Box{Vec3::Constant(0.5)};
    cube.shapes[0].material = "block";
    cube.mass_kg = level + 1 == options.count ? 100.0 * options.top_mass_ratio : 100.0;
    scene.bodies.push_back(cube);
  }
  return scene;
}

}  // namespace talus::scenes
