// [AB] §6.1: a sphere of R 0.5 m thrown at U₀ 2.5 m/s with spin Ω₀ onto a plane, until both have
// stopped. Fig. 2 asks for the distance alone, Fig. 3 for the velocities over time.
#include <algorithm>
#include <cmath>

#include "solver/base/status.h"
#include "tests/scenes/single_body.h"
#include "tests/validation/runs/runs.h"

namespace talus::validation {
namespace {

// Below this (m/s, rad/s) the sphere or its spin counts as stopped; a step changes the slowest of
// them by some 10⁻⁵.
constexpr double kStopped = 1e-9;

}  // namespace

absl::Status RunSphereOnPlane(RunParameters& parameters, WorkerArena& workers, RunSheet& sheet) {
  TALUS_ASSIGN_OR_RETURN(const double spin, parameters.Number("spin_rad_s", 5.0, -100.0, 100.0));
  TALUS_ASSIGN_OR_RETURN(const double mu, parameters.Number("sliding", 0.2, 0.0, 100.0));
  TALUS_ASSIGN_OR_RETURN(const double rho, parameters.Number("rolling_m", 0.04, 0.0, 100.0));
  TALUS_ASSIGN_OR_RETURN(const double h, parameters.Number("time_step_s", 1e-3, 1e-6, 0.1));
  TALUS_ASSIGN_OR_RETURN(const double limit, parameters.Number("seconds", 100.0, 0.1, 10000.0));
  // 0: only the end.
  TALUS_ASSIGN_OR_RETURN(const int64_t stride, parameters.Count("record_every", 0, 0, 1000000));
  TALUS_RETURN_IF_ERROR(parameters.CheckAllUsed());
  scenes::BallOnPlane ball = scenes::SphereOnPlane(spin, mu, rho);
  ball.time_step_s = h;
  TALUS_ASSIGN_OR_RETURN(World world, World::Create(ball.Build()));

  const auto speed = [&] { return world.bodies().linear_velocities[1].x(); };
  const auto turning = [&] { return world.bodies().angular_velocities[1].y(); };
  const auto record = [&] {
    sheet.columns["time_s"].push_back(world.time_s());
    sheet.columns["speed_m_s"].push_back(speed());
    sheet.columns["spin_rad_s"].push_back(turning());
    sheet.columns["position_m"].push_back(world.bodies().positions[1].x());
  };
  if (stride > 0) record();
  const int64_t steps = std::llround(limit / h);
  bool stopped = false;
  for (int64_t step = 1; step <= steps && !stopped; ++step) {
    TALUS_ASSIGN_OR_RETURN(const StepReport report, world.Step(workers));
    sheet.CountStep(report);
    stopped = std::abs(speed()) < kStopped && std::abs(turning()) < kStopped;
    if (stride > 0 && (step % stride == 0 || stopped)) record();
  }
  sheet.values["stopped"] = stopped ? 1.0 : 0.0;
  sheet.values["distance_m"] = world.bodies().positions[1].x();
  sheet.values["stop_time_s"] = world.time_s();
  return absl::OkStatus();
}

}  // namespace talus::validation
