// A resting stack: the ground carries exactly its weight, and the lowest block's contacts that of
// all blocks above.
#include "solver/scene/scene_def.h"
#include "tests/scenes/single_body.h"
#include "tests/validation/cases.h"
#include "tests/validation/motion.h"

namespace talus::validation {

void AddRestingStack(ResultSheet& sheet) {
  constexpr int kBlocks = 5;
  scenes::BlockOnPlane base;
  base.material = {0.5, 0.0, 0.0, 0.0};
  base.solver.tolerance = 1e-10;
  base.solver.max_sweeps = 20000;
  SceneDef scene = base.Build();
  for (int i = 1; i < kBlocks; ++i) {
    BodyDef block = scene.bodies[1];
    block.name = "block" + std::to_string(i);
    block.pose_world.position.z() = (2 * i + 1) * base.half_extent_m;
    scene.bodies.push_back(block);
  }
  World world = MakeWorld(scene);
  StepWorld(world, 400);
  double on_ground = 0.0;
  double on_second = 0.0;
  for (const ContactRecord& contact : world.Contacts()) {
    if (contact.body_a_row == 0) on_ground += contact.force_world_n.z();
    if (contact.body_a_row == 1) on_second += contact.force_world_n.z();
  }
  // The residual 10⁻¹⁰ is relative to the impulses of a step; times the condition of a stack of
  // five, below 100, that is 10⁻⁸ of 49 N.
  sheet.Add({"stack-weight-on-ground", "Newton", on_ground, kBlocks * 9.81, 1e-6, "N"});
  sheet.Add({"stack-weight-on-second", "Newton", on_second, (kBlocks - 1) * 9.81, 1e-6, "N"});
  // In the velocities it is 10⁻⁸ g h a step: 400 steps of 5 ms, all one way, make 10⁻⁹ m.
  double drift = 0.0;
  for (int i = 0; i < kBlocks; ++i) {
    const Vec3 home(0.0, 0.0, (2 * i + 1) * base.half_extent_m);
    drift = std::max(drift, (world.bodies().positions[static_cast<size_t>(i + 1)] - home).norm());
  }
  sheet.Add({"stack-drift", "rest", drift, 0.0, 1e-9, "m"});
}

}  // namespace talus::validation
