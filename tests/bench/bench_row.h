// One measurement: what was solved, how well, how fast, and the state it came from, so that a wrong
// answer cannot pass for a quick one. In JSON and in the table -1 says "never reached" and 0 says
// "not measured".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/world/step_report.h"

namespace talus::bench {

// The residuals that cold starts are timed to, and their names in fields.
inline constexpr std::array<double, 4> kGoals = {1e-2, 1e-3, 1e-4, 1e-6};
inline constexpr std::array<const char*, 4> kGoalNames = {"1e-2", "1e-3", "1e-4", "1e-6"};

// A cold start solved with one of kGoals as its tolerance; medians.
struct GoalTime {
  double solve_ms = 0.0;
  double step_ms = 0.0;
  double sweeps = 0.0;
};

struct BenchRow {
  std::string id;     // of the plan: state/solver/mode
  std::string state;  // what peers put beside it
  std::string law;
  std::string solver;
  int threads = 1;
  int repeats = 1;
  int64_t bodies = 0;
  int64_t contacts = 0;
  int colors = 0;
  double tolerance = 0.0;             // what the steps asked for
  bool reached = false;               // all of them got it: do not compare a row that did not
  double sweeps = 0.0;                // per step
  double residual = 0.0;              // worst over the measured steps
  double best_residual = 0.0;         // of a cold start, at the tightest tolerance tried
  double ms_per_step = 0.0;           // median
  double ns_per_contact_sweep = 0.0;  // of the solve stage alone
  double cpu_us_per_step = 0.0;       // of all threads; median
  double speedup = 0.0;               // time of the same steps on one thread over that on `threads`
  StageTimes stage_shares_pct;        // of the steps' wall time, per cent
  double peak_mib = 0.0;              // of the process so far
  double bytes_per_body = 0.0;
  double bytes_per_contact = 0.0;
  uint64_t start_hash = 0;  // of the state the row began with
  uint64_t state_hash = 0;  // after the last measured step
  std::array<GoalTime, 4> goals;
};

std::string ToJson(const std::vector<BenchRow>& rows);
std::string ToTable(const std::vector<BenchRow>& rows);

double PeakMib();
// Processor time of all threads so far.
double ReadCpuSeconds();
// 0 for none.
double Median(std::vector<double> values);

}  // namespace talus::bench
