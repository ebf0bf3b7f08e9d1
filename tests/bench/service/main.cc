// The service benchmark: what a call of the service costs beside a bare gRPC echo, in one run. The
// answers are compared with the library's before a time is printed. docs/PERFORMANCE.md says what
// rows mean.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "server/runtime/time_slice.h"
#include "tests/bench/service/service_options.h"
#include "tests/bench/service/service_plan.h"
#include "tests/bench/service/stolen_time.h"

namespace talus::bench {
namespace {

constexpr int kUsageError = 2;

std::vector<ServiceCase> ChooseCases(const ServiceOptions& options) {
  std::vector<ServiceCase> cases = ListCases();
  if (options.filters.empty()) return cases;
  std::erase_if(cases, [&](const ServiceCase& one) {
    return std::none_of(options.filters.begin(), options.filters.end(),
                        [&](const std::string& filter) { return IsNamedBy(one.id, filter); });
  });
  return cases;
}

int Run(const ServiceOptions& options) {
  const std::vector<ServiceCase> cases = ChooseCases(options);
  if (cases.empty()) {
    std::fprintf(stderr, "service: no case's id matches; --list prints them\n");
    return kUsageError;
  }
  if (options.list) {
    for (const ServiceCase& one : cases) std::puts(one.id.c_str());
    return 0;
  }
  std::ofstream file;
  if (!options.json_file.empty()) {
    // Said before the minutes of work, not after them.
    file.open(options.json_file);
    if (!file) {
      std::fprintf(stderr, "service: cannot write %s\n", options.json_file.c_str());
      return kUsageError;
    }
  }
  // As who needs every tick would; the bare echo is given it too.
  AskForTimeSlices(std::chrono::microseconds(100));
  std::vector<ServiceRow> rows;
  for (size_t k = 0; k < cases.size(); ++k) {
    std::fprintf(stderr, "service: %zu of %zu: %s\n", k + 1, cases.size(), cases[k].id.c_str());
    const ProcessorTime begun = ReadProcessorTime();
    auto measured = cases[k].measure(options.effort);
    if (!measured.ok()) {
      const std::string text(measured.status().message());
      std::fprintf(stderr, "service: %s: %s\n", cases[k].id.c_str(), text.c_str());
      return 1;
    }
    const double stolen_share = FindStolenShare(begun, ReadProcessorTime());
    for (ServiceRow& row : *measured) row.stolen_share = stolen_share;
    rows.insert(rows.end(), measured->begin(), measured->end());
  }
  std::fputs(ToTable(rows).c_str(), stdout);
  if (!file.is_open()) return 0;
  file << ToJson(rows);
  file.close();
  if (!file) std::fprintf(stderr, "service: cannot write %s\n", options.json_file.c_str());
  return file ? 0 : 1;
}

}  // namespace
}  // namespace talus::bench

int main(int argc, char** argv) {
  const auto options = talus::bench::ParseServiceOptions(argc, argv);
  if (!options.has_value()) return talus::bench::kUsageError;
  return options->help ? 0 : talus::bench::Run(*options);
}
