#include "clients/cli/run_judgement.h"

#include "clients/cli/exit_code.h"

namespace talus::cli {

void JudgeCompleteRun(double allowed_unconverged, record::RunSummary& summary) {
  const bool met = summary.unconverged_steps() <= allowed_unconverged * summary.steps();
  summary.set_outcome(met ? "completed" : "unconverged");
  summary.set_exit_code(met ? kExitOk : kExitUnconverged);
}

}  // namespace talus::cli
