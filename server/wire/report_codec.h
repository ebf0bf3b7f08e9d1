// Step reports and energies onto the wire.
#pragma once

#include "solver/world/step_report.h"
#include "talus/v1/frame.pb.h"

namespace talus::wire {

void EncodeReport(const StepReport& report, v1::StepReport& message);
void EncodeEnergy(const Energy& energy, v1::Energy& message);

}  // namespace talus::wire
