// One measurement: what was solved, how well, how fast, and the state it came from, so that a wrong
// answer cannot pass for a quick one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace talus::bench {

struct BenchRow {
  std::string id;
  std::string law;
  std::string solver;
  int threads = 1;
  int64_t bodies = 0;
  int64_t contacts = 0;
  double sweeps = 0.0;                // per step
  double residual = 0.0;              // worst over the measured steps
  double ms_per_step = 0.0;           // median
  double ns_per_contact_sweep = 0.0;  // of the solve stage alone
  double peak_mib = 0.0;              // of the process so far
  uint64_t state_hash = 0;            // after the last measured step
  // Sweeps to residuals 10⁻², 10⁻³, 10⁻⁴ from a cold start; −1: not reached, 0: not measured.
  int sweeps_to[3] = {0, 0, 0};
};

std::string ToJson(const std::vector<BenchRow>& rows);
std::string ToTable(const std::vector<BenchRow>& rows);

double PeakMib();
double Median(std::vector<double> values);

}  // namespace talus::bench
