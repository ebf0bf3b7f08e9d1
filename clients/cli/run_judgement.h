// Whether a run that made all its steps met the tolerance in enough of them.
#pragma once

#include "clients/cli/run_record.pb.h"

namespace talus::cli {

// Sets the outcome and the exit code of a complete run. `allowed_unconverged`: share of its steps
// that may miss the tolerance.
void JudgeCompleteRun(double allowed_unconverged, record::RunSummary& summary);

}  // namespace talus::cli
