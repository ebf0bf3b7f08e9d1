// [TA] §6.1: the scene of rolling_disk_cases.cc, recorded over time.
#include <algorithm>
#include <cmath>

#include "solver/base/status.h"
#include "tests/scenes/single_body.h"
#include "tests/validation/runs/runs.h"

namespace talus::validation {

absl::Status RunRollingDisk(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet) {
  TALUS_ASSIGN_OR_RETURN(const double h, parameters.Number("time_step_s", 0.01, 1e-5, 0.1));
  TALUS_ASSIGN_OR_RETURN(const double seconds, parameters.Number("seconds", 9.0, 0.1, 1000.0));
  TALUS_ASSIGN_OR_RETURN(const int64_t ccp, parameters.Count("ccp", 0, 0, 1));
  TALUS_RETURN_IF_ERROR(parameters.CheckAllUsed());
  SceneDef scene = scenes::RollingDisk(h).Build();
  scene.settings.solver.law = ccp == 1 ? ContactLaw::kCcp : ContactLaw::kNcp;
  TALUS_ASSIGN_OR_RETURN(World world, World::Create(scene));

  const auto record = [&] {
    const BodyStateView bodies = world.bodies();
    sheet.columns["time_s"].push_back(world.time_s());
    sheet.columns["position_m"].push_back(bodies.positions[1].x());
    sheet.columns["speed_m_s"].push_back(bodies.linear_velocities[1].x());
    sheet.columns["height_m"].push_back(bodies.positions[1].z());
  };
  record();
  const int64_t steps = std::llround(seconds / h);
  // As many moments as a plot can show; the last one always.
  const int64_t stride = std::max<int64_t>(1, steps / 900);
  for (int64_t step = 1; step <= steps; ++step) {
    TALUS_ASSIGN_OR_RETURN(const StepReport report, world.Step(workers));
    sheet.CountStep(report);
    if (step % stride == 0 || step == steps) record();
  }
  return absl::OkStatus();
}

}  // namespace talus::validation
