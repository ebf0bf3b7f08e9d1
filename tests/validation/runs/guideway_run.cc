// [TA] §6.2, Fig. 8: what it takes to move the linear guideway, after some steps in motion.
#include "solver/base/status.h"
#include "tests/scenes/guideway.h"
#include "tests/validation/runs/runs.h"

namespace talus::validation {

absl::Status RunGuideway(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet) {
  scenes::Guideway guideway;
  TALUS_ASSIGN_OR_RETURN(guideway.rolling_friction_m,
                         parameters.Number("rolling_m", guideway.rolling_friction_m, 0.0, 1e-3));
  TALUS_ASSIGN_OR_RETURN(guideway.seal_n, parameters.Number("seal_n", 0.0, 0.0, 1000.0));
  TALUS_ASSIGN_OR_RETURN(guideway.time_step_s,
                         parameters.Number("time_step_s", guideway.time_step_s, 1e-5, 0.1));
  TALUS_ASSIGN_OR_RETURN(const int64_t ccp, parameters.Count("ccp", 0, 0, 1));
  TALUS_ASSIGN_OR_RETURN(const int64_t preloaded, parameters.Count("preloaded", 0, 0, 1));
  TALUS_ASSIGN_OR_RETURN(const int64_t steps, parameters.Count("steps", 10, 1, 1000));
  if (preloaded == 1) guideway.Preload();
  TALUS_ASSIGN_OR_RETURN(guideway.tolerance,
                         parameters.Number("tolerance", guideway.tolerance, 1e-14, 1.0));
  TALUS_RETURN_IF_ERROR(parameters.CheckAllUsed());
  guideway.law = ccp == 1 ? ContactLaw::kCcp : ContactLaw::kNcp;
  TALUS_ASSIGN_OR_RETURN(World world, World::Create(guideway.Build()));
  for (int64_t step = 0; step < steps; ++step) {
    TALUS_ASSIGN_OR_RETURN(const StepReport report, world.Step(workers));
    sheet.CountStep(report);
  }
  const scenes::RowLoads loads = scenes::SumNormalForces(world);
  sheet.values["drive_force_n"] = scenes::DriveForce(world);
  sheet.values["upper_rows_n"] = loads.upper;
  sheet.values["lower_rows_n"] = loads.lower;
  sheet.values["lift_m"] = world.bodies().positions[scenes::kBlockRow].y();
  sheet.values["load_n"] = guideway.load_n;
  sheet.values["block_mass_kg"] = scenes::kBlockMass;
  sheet.values["speed_m_s"] = guideway.drive_speed_m_s;
  sheet.values["stiffness_n_m"] = guideway.stiffness_n_m;
  return absl::OkStatus();
}

}  // namespace talus::validation
