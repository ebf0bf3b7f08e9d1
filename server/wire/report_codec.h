// Step reports and energies onto the wire, field by field; units are those of the schema and
// nothing is converted.
#pragma once

#include "solver/world/step_report.h"
#include "talus/v1/frame.pb.h"

namespace talus::wire {

v1::SolveOutcome EncodeOutcome(SolveOutcome outcome);
void EncodeReport(const StepReport& report, v1::StepReport& message);
void EncodeEnergy(const Energy& energy, v1::Energy& message);

}  // namespace talus::wire
