// One measurement of one engine, in the fields of our own rows (tests/bench/bench_row.h) where they
// mean the same, and the quality of its impulses by our definition.
#pragma once

#include <cstdint>
#include <string>

namespace talus::peers {

struct PeerRow {
  std::string id;  // of the state
  std::string engine;
  std::string engine_settings;
  std::string residual_note;
  int threads = 1;
  int steps = 0;  // measured
  int64_t bodies = 0;
  int64_t contacts = 0;               // of the last step
  double sweeps = 0.0;                // iterations of the engine per step, mean
  double residual = 0.0;              // worst over the measured steps
  double median_residual = 0.0;       // over the measured steps
  double ms_per_step = 0.0;           // wall clock, median
  double cpu_ms_per_step = 0.0;       // of the process, median
  double ns_per_contact_sweep = 0.0;  // CPU time of the solver
  double worst_contact_residual = 0.0;
  double worst_penetration_m = 0.0;
  double weight_carried = 0.0;     // mean over the measured steps
  double velocity_mismatch = 0.0;  // worst over the measured steps
  double peak_mib = 0.0;
};

// One line of JSON. A number that is not finite becomes null.
std::string ToJson(const PeerRow& row);

}  // namespace talus::peers
