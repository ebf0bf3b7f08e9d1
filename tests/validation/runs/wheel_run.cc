// [RB], table 1: the wheel of tests/scenes/wheel.h under one law, recorded over time: the slip at
// the end of the recorded step, the force as its mean since the last one. The force of a step is
// its impulse over its length, and so a mean by itself.
#include <algorithm>
#include <vector>

#include "solver/base/status.h"
#include "tests/scenes/wheel.h"
#include "tests/validation/runs/runs.h"

namespace talus::validation {

using scenes::kWheelSlipThreshold;
using scenes::kWheelTolerance;
using scenes::RollWheel;
using scenes::WheelLaw;
using scenes::WheelMoment;

absl::Status RunWheel(RunParameters& parameters, WorkerArena& /*workers*/, RunSheet& sheet) {
  // As WheelLaw counts them.
  TALUS_ASSIGN_OR_RETURN(const int64_t law, parameters.Count("law", 0, 0, 3));
  TALUS_ASSIGN_OR_RETURN(const double h, parameters.Number("time_step_s", 1e-3, 1e-5, 0.01));
  TALUS_ASSIGN_OR_RETURN(const double seconds, parameters.Number("seconds", 4.5, 0.1, 100.0));
  TALUS_ASSIGN_OR_RETURN(const int64_t stride, parameters.Count("record_every", 1, 1, 1000000));
  TALUS_RETURN_IF_ERROR(parameters.CheckAllUsed());
  Vec3 sum = Vec3::Zero();
  for (const WheelMoment& moment : RollWheel(static_cast<WheelLaw>(law), h, seconds)) {
    ++sheet.steps;
    sheet.time_s = moment.time_s;
    sheet.worst_residual = std::max(sheet.worst_residual, moment.residual);
    if (moment.residual > kWheelTolerance) ++sheet.unconverged_steps;
    sum += moment.force;
    if (sheet.steps % stride != 0) continue;
    const Vec3 force = sum / static_cast<double>(stride);
    sum.setZero();
    sheet.columns["time_s"].push_back(moment.time_s);
    sheet.columns["force_x_n"].push_back(force.x());
    sheet.columns["force_y_n"].push_back(force.y());
    sheet.columns["slip_x_m_s"].push_back(moment.slip.x());
    sheet.columns["slip_y_m_s"].push_back(moment.slip.y());
  }
  sheet.values["slip_threshold_m_s"] = kWheelSlipThreshold;
  sheet.HashColumns();
  return absl::OkStatus();
}

}  // namespace talus::validation
