#include "tests/bench/bench_row.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "tests/bench/bench_world.h"

namespace talus::bench {
namespace {

void AddGoals(const BenchRow& row, nlohmann::ordered_json& object) {
  for (size_t k = 0; k < kGoals.size(); ++k) {
    const std::string name = kGoalNames[k];
    object["ms_to_" + name] = row.goals[k].solve_ms;
    object["step_ms_to_" + name] = row.goals[k].step_ms;
    object["sweeps_to_" + name] = row.goals[k].sweeps;
  }
}

double StageSum(const StageTimes& shares) {
  return shares.find_pairs_s + shares.find_contacts_s + shares.advance_velocities_s +
         shares.assemble_problem_s + shares.solve_contacts_s + shares.apply_impulses_s +
         shares.advance_poses_s;
}

void AddStages(const StageTimes& shares, nlohmann::ordered_json& object) {
  object["pct_find_pairs"] = shares.find_pairs_s;
  object["pct_find_contacts"] = shares.find_contacts_s;
  object["pct_advance_velocities"] = shares.advance_velocities_s;
  object["pct_assemble_problem"] = shares.assemble_problem_s;
  object["pct_solve_contacts"] = shares.solve_contacts_s;
  object["pct_apply_impulses"] = shares.apply_impulses_s;
  object["pct_advance_poses"] = shares.advance_poses_s;
  // Emission, checks, energy, hash: what no stage's clock covers.
  object["pct_other"] = std::max(0.0, 100.0 - StageSum(shares));
}

}  // namespace

std::string ToJson(const std::vector<BenchRow>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const BenchRow& r : rows) {
    nlohmann::ordered_json object = {{"id", r.id},
                                     {"engine", "talus"},
                                     {"state", r.state},
                                     {"law", r.law},
                                     {"solver", r.solver},
                                     {"threads", r.threads},
                                     {"repeats", r.repeats},
                                     {"bodies", r.bodies},
                                     {"contacts", r.contacts},
                                     {"colors", r.colors},
                                     {"tolerance", r.tolerance},
                                     {"reached", r.reached},
                                     {"sweeps", r.sweeps},
                                     {"residual", r.residual},
                                     {"best_residual", r.best_residual},
                                     {"ms_per_step", r.ms_per_step},
                                     {"ns_per_contact_sweep", r.ns_per_contact_sweep},
                                     {"cpu_us_per_step", r.cpu_us_per_step},
                                     {"speedup", r.speedup},
                                     {"peak_mib", r.peak_mib},
                                     {"bytes_per_body", r.bytes_per_body},
                                     {"bytes_per_contact", r.bytes_per_contact},
                                     {"start_hash", FormatHash(r.start_hash)},
                                     {"state_hash", FormatHash(r.state_hash)}};
    AddGoals(r, object);
    AddStages(r.stage_shares_pct, object);
    list.push_back(object);
  }
  return list.dump(1) + "\n";
}

std::string ToTable(const std::vector<BenchRow>& rows) {
  std::string table =
      "id                                          thr  bodies contacts  sweeps  residual     "
      "ms/step  cpu ms ns/c/sw speedup  solve B/body B/cont  ms to 1e-2     1e-3     1e-4     1e-6 "
      " state "
      "hash\n";
  for (const BenchRow& r : rows) {
    char line[512];
    std::snprintf(
        line, sizeof(line),
        "%-43s %3d %7lld %8lld %7.1f %9.2e%c %9.2f %7.2f %7.1f %7.2f %5.0f%% %6.0f %6.0f  "
        "%10.2f %8.2f %8.2f %8.2f  %s\n",
        r.id.c_str(), r.threads, static_cast<long long>(r.bodies),
        static_cast<long long>(r.contacts), r.sweeps, r.residual, r.reached ? ' ' : '!',
        r.ms_per_step, r.cpu_us_per_step * 1e-3, r.ns_per_contact_sweep, r.speedup,
        r.stage_shares_pct.solve_contacts_s, r.bytes_per_body, r.bytes_per_contact,
        r.goals[0].solve_ms, r.goals[1].solve_ms, r.goals[2].solve_ms, r.goals[3].solve_ms,
        FormatHash(r.state_hash).c_str());
    table += line;
  }
  return table +
         "!: the residual missed the tolerance, compare nothing with it; -1: never reached; 0: not "
         "measured\n";
}

double PeakMib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double ReadCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace talus::bench
