// The benchmarks: time to an answer of known quality, for states of every kind and size. Hashes
// over threads are compared before a time is printed. docs/PERFORMANCE.md says what rows mean.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "tests/bench/bench_options.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {
namespace {

std::vector<RowPlan> ChooseRows(const BenchOptions& options) {
  std::vector<RowPlan> rows = ListRows(options.size);
  if (options.only.empty()) return rows;
  std::erase_if(rows, [&](const RowPlan& row) {
    return std::none_of(options.only.begin(), options.only.end(), [&](const std::string& pattern) {
      return MatchesPattern(row.id(), pattern);
    });
  });
  return rows;
}

std::vector<BenchRow> MeasureRows(const std::vector<RowPlan>& plans, const StateStore& store) {
  std::vector<BenchRow> rows;
  std::string state;
  std::string snapshot;
  for (size_t k = 0; k < plans.size(); ++k) {
    // One state is in memory at a time: rows of a state stand together.
    if (state != StateName(plans[k].state)) {
      const bool bare = plans[k].state.kind == StateKind::kLattice;
      snapshot = bare ? "" : LoadState(plans[k].state, store);
      state = StateName(plans[k].state);
    }
    std::fprintf(stderr, "bench: %zu of %zu: %s\n", k + 1, plans.size(), plans[k].id().c_str());
    for (BenchRow& row : MeasureRow(plans[k], snapshot, store)) rows.push_back(std::move(row));
  }
  return rows;
}

int Run(const BenchOptions& options) {
  const std::vector<RowPlan> plans = ChooseRows(options);
  if (plans.empty()) {
    std::fprintf(stderr, "bench: no row's id matches; --list prints them\n");
    return 2;
  }
  if (options.list) {
    for (const RowPlan& plan : plans) std::puts(plan.id().c_str());
    return 0;
  }
  std::ofstream file;
  if (!options.json_file.empty()) {
    // Said before the minutes of work, not after them.
    file.open(options.json_file);
    if (!file) {
      std::fprintf(stderr, "bench: cannot write %s\n", options.json_file.c_str());
      return 2;
    }
  }
  const std::vector<BenchRow> rows = MeasureRows(plans, options.store);
  std::fputs(ToTable(rows).c_str(), stdout);
  if (!file.is_open()) return 0;
  file << ToJson(rows);
  file.close();
  if (!file) std::fprintf(stderr, "bench: cannot write %s\n", options.json_file.c_str());
  return file ? 0 : 2;
}

}  // namespace
}  // namespace talus::bench

int main(int argc, char** argv) {
  const std::optional<talus::bench::BenchOptions> options = talus::bench::ParseOptions(argc, argv);
  return options.has_value() ? talus::bench::Run(*options) : 2;
}
