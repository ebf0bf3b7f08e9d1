// [TA] §6.3: spheres of 45 mm fall 800 a second from a nozzle onto a tray of 2 m × 2 m.
#include <algorithm>
#include <cmath>

#include "solver/base/status.h"
#include "tests/scenes/piles.h"
#include "tests/validation/runs/body_columns.h"
#include "tests/validation/runs/runs.h"

namespace talus::validation {

absl::Status RunGravelPile(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet) {
  scenes::GravelPileOptions options;
  TALUS_ASSIGN_OR_RETURN(options.particles, parameters.Count("particles", 1000, 1, 100000));
  TALUS_ASSIGN_OR_RETURN(options.rolling_friction_m,
                         parameters.Number("rolling_m", 0.01, 0.0, 1.0));
  options.spinning_friction_m = options.rolling_friction_m;
  TALUS_ASSIGN_OR_RETURN(const int64_t seed, parameters.Count("seed", 1, 0, 1000000));
  options.seed = static_cast<uint64_t>(seed);
  TALUS_ASSIGN_OR_RETURN(const int64_t walled, parameters.Count("walled", 0, 0, 1));
  options.walled = walled == 1;
  TALUS_ASSIGN_OR_RETURN(const int64_t ccp, parameters.Count("ccp", 0, 0, 1));
  TALUS_ASSIGN_OR_RETURN(const int64_t newton, parameters.Count("newton", 0, 0, 1));
  TALUS_ASSIGN_OR_RETURN(const double tolerance, parameters.Number("tolerance", 1e-3, 1e-12, 1.0));
  TALUS_ASSIGN_OR_RETURN(const int64_t max_sweeps,
                         parameters.Count("max_sweeps", 1000, 1, 1000000));
  TALUS_ASSIGN_OR_RETURN(const double seconds, parameters.Number("seconds", 5.0, 0.1, 1000.0));
  TALUS_ASSIGN_OR_RETURN(const double nozzle, parameters.Number("nozzle_m", 1.0, 0.1, 4.0));
  TALUS_RETURN_IF_ERROR(parameters.CheckAllUsed());
  SceneDef scene = scenes::GravelPile(options);
  scene.settings.solver.law = ccp == 1 ? ContactLaw::kCcp : ContactLaw::kNcp;
  // Otherwise the law's own.
  if (newton == 1) scene.settings.solver.solver = SolverKind::kNewton;
  scene.settings.solver.tolerance = tolerance;
  scene.settings.solver.max_sweeps = static_cast<int32_t>(max_sweeps);
  scene.emitters[0].center_world_m.z() = nozzle;
  TALUS_ASSIGN_OR_RETURN(World world, World::Create(scene));

  const int64_t steps = std::llround(seconds / scene.settings.time_step_s);
  double removed = 0.0;
  double deepest = 0.0;
  for (int64_t step = 0; step < steps; ++step) {
    TALUS_ASSIGN_OR_RETURN(const StepReport report, world.Step(workers));
    sheet.CountStep(report);
    removed += static_cast<double>(report.removed_count);
    deepest = std::max(deepest, report.worst_penetration_m);
  }
  sheet.values["removed"] = removed;
  // A pile that has grown up to the nozzle blocks it.
  sheet.values["pending"] = static_cast<double>(world.particles_pending());
  sheet.values["worst_penetration_m"] = deepest;
  double fastest = 0.0;
  for (const Vec3& velocity : world.bodies().linear_velocities) {
    fastest = std::max(fastest, velocity.norm());
  }
  sheet.values["fastest_m_s"] = fastest;
  AddSphereColumns(world, sheet);
  return absl::OkStatus();
}

}  // namespace talus::validation
