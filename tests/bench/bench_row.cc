#include "tests/bench/bench_row.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace talus::bench {
namespace {

std::string Hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

std::string ToJson(const std::vector<BenchRow>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const BenchRow& r : rows) {
    list.push_back({{"id", r.id},
                    {"law", r.law},
                    {"solver", r.solver},
                    {"threads", r.threads},
                    {"bodies", r.bodies},
                    {"contacts", r.contacts},
                    {"sweeps", r.sweeps},
                    {"residual", r.residual},
                    {"ms_per_step", r.ms_per_step},
                    {"ns_per_contact_sweep", r.ns_per_contact_sweep},
                    {"peak_mib", r.peak_mib},
                    {"state_hash", Hex(r.state_hash)},
                    {"sweeps_to_1e-2", r.sweeps_to[0]},
                    {"sweeps_to_1e-3", r.sweeps_to[1]},
                    {"sweeps_to_1e-4", r.sweeps_to[2]}});
  }
  return list.dump(1) + "\n";
}

std::string ToTable(const std::vector<BenchRow>& rows) {
  std::string table =
      "id                            law  solver            thr  bodies contacts  sweeps  residual "
      "  ms/step ns/c/sweep    1e-2   1e-3   1e-4  state hash\n";
  for (const BenchRow& r : rows) {
    char line[256];
    std::snprintf(line, sizeof(line),
                  "%-29s %-4s %-17s %3d %7lld %8lld %7.1f %9.2e %9.2f %10.1f  %6d %6d %6d  %s\n",
                  r.id.c_str(), r.law.c_str(), r.solver.c_str(), r.threads,
                  static_cast<long long>(r.bodies), static_cast<long long>(r.contacts), r.sweeps,
                  r.residual, r.ms_per_step, r.ns_per_contact_sweep, r.sweeps_to[0], r.sweeps_to[1],
                  r.sweeps_to[2], Hex(r.state_hash).c_str());
    table += line;
  }
  return table;
}

double PeakMib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace talus::bench
