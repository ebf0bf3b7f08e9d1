#include "tests/validation/runs/run_sheet.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>

#include "solver/base/state_hash.h"

namespace talus::validation {

void RunSheet::CountStep(const StepReport& report) {
  ++steps;
  time_s = report.time_s;
  state_hash = report.state_hash;
  sweeps += report.sweep_count;
  worst_residual = std::max(worst_residual, report.residual);
  const bool solved =
      report.outcome == SolveOutcome::kNone || report.outcome == SolveOutcome::kConverged;
  if (!solved) ++unconverged_steps;
}

void RunSheet::HashColumns() {
  StateHasher hasher;
  for (const auto& [name, column] : columns) {
    hasher.AddText(name);
    hasher.AddArray(std::span<const double>(column));
  }
  state_hash = hasher.Finish();
}

std::string RunSheet::ToJson(const std::string& run, const RunParameters& parameters) const {
  char hash[17];
  std::snprintf(hash, sizeof(hash), "%016llx", static_cast<unsigned long long>(state_hash));
  const nlohmann::ordered_json sheet = {{"run", run},
                                        {"parameters", parameters.used()},
                                        {"state_hash", hash},
                                        {"steps", steps},
                                        {"time_s", time_s},
                                        {"unconverged_steps", unconverged_steps},
                                        {"worst_residual", worst_residual},
                                        {"sweeps", sweeps},
                                        {"values", values},
                                        {"columns", columns}};
  return sheet.dump() + "\n";
}

}  // namespace talus::validation
