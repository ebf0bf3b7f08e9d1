// What one run of a figure leaves behind: the parameters it used, numbers by name, columns of
// numbers (over time, bodies or a mesh), and the hash of the state it ended in. One JSON object:
//
//   {"run", "parameters": {name: number}, "state_hash": "16 digits", "steps", "time_s",
//    "unconverged_steps", "worst_residual", "sweeps",
//    "values": {name: number}, "columns": {name: [number...]}}
//
// The same parameters leave the same bytes: nothing here reads a clock.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solver/world/world.h"
#include "tests/validation/runs/run_parameters.h"

namespace talus::validation {

struct RunSheet {
  std::map<std::string, double> values;
  std::map<std::string, std::vector<double>> columns;
  uint64_t state_hash = 0;
  int64_t steps = 0;
  double time_s = 0.0;
  int64_t unconverged_steps = 0;  // solved to more than the tolerance
  double worst_residual = 0.0;    // of all steps
  int64_t sweeps = 0;

  // Adds a step's report to the counts above.
  void CountStep(const StepReport& report);
  // Where no world has a state: the hash of names and numbers of all columns, in its place.
  void HashColumns();

  std::string ToJson(const std::string& run, const RunParameters& parameters) const;
};

}  // namespace talus::validation
