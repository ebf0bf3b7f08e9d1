// One engine, one state, one row of JSON for each number of iterations asked for; each begins from
// the state again. A row is written as soon as it is known, so that what a time limit cuts off
// leaves the others standing.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "tests/bench/peers/state_measurement.h"
#include "tests/bench/peers/text_file.h"

namespace talus::peers {
namespace {

struct Options {
  std::string state_file;
  std::string record_file;  // of the last step; empty: not written
  std::vector<int> iterations = {0};
  std::vector<double> tolerances = {0.0};
  MeasureOptions measure;
};

template <typename Number>
bool ParseList(const char* text, Number lowest, std::vector<Number>& list) {
  list.clear();
  std::istringstream stream(text);
  std::string item;
  while (std::getline(stream, item, ',')) {
    std::istringstream number(item);
    Number value{};
    if (!(number >> value) || !number.eof() || value < lowest) return false;
    list.push_back(value);
  }
  return !list.empty();
}

bool ParseCount(const char* text, int lowest, int& count) {
  std::vector<int> list;
  if (!ParseList(text, lowest, list) || list.size() != 1) return false;
  count = list[0];
  return true;
}

bool ParseOption(const std::string& name, const char* value, Options& options) {
  EngineOptions& engine = options.measure.engine;
  if (name == "--iterations") return ParseList(value, 0, options.iterations);
  if (name == "--tolerance") return ParseList(value, 0.0, options.tolerances);
  if (name == "--threads") return ParseCount(value, 1, engine.threads);
  if (name == "--warmup") return ParseCount(value, 0, options.measure.warmup);
  if (name == "--steps") return ParseCount(value, 1, options.measure.steps);
  if (name == "--gap-rows") {
    engine.own_gap_rows = std::strcmp(value, "own") == 0;
    return engine.own_gap_rows || std::strcmp(value, "ours") == 0;
  }
  if (name == "--solver") engine.solver = value;
  if (name == "--record") options.record_file = value;
  return name == "--solver" || name == "--record";
}

bool ParseOptions(int argc, char** argv, Options& options) {
  if (argc < 2) return false;
  options.state_file = argv[1];
  for (int i = 2; i < argc; i += 2) {
    if (i + 1 >= argc || !ParseOption(argv[i], argv[i + 1], options)) return false;
  }
  return true;
}

int Fail(const absl::Status& status) {
  std::fprintf(stderr, "%s: %s\n", kEngineName, std::string(status.message()).c_str());
  return 2;
}

int Run(Options& options) {
  const absl::StatusOr<std::string> text = ReadTextFile(options.state_file);
  if (!text.ok()) return Fail(text.status());
  const absl::StatusOr<PeerState> state = ParsePeerState(*text);
  if (!state.ok()) return Fail(state.status());
  StepRecord last;
  for (const int iterations : options.iterations) {
    for (const double tolerance : options.tolerances) {
      options.measure.engine.iterations = iterations;
      options.measure.engine.tolerance = tolerance;
      const absl::StatusOr<PeerRow> row = MeasureState(*state, options.measure, last);
      if (!row.ok()) return Fail(row.status());
      std::fputs(ToJson(*row).c_str(), stdout);
      std::fflush(stdout);
    }
  }
  if (!options.record_file.empty()) {
    const absl::Status written = WriteTextFile(options.record_file, ToJson(last));
    if (!written.ok()) return Fail(written);
  }
  return 0;
}

}  // namespace
}  // namespace talus::peers

int main(int argc, char** argv) {
  talus::peers::Options options;
  if (!talus::peers::ParseOptions(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: %s STATE.json [--iterations LIST] [--tolerance LIST] [--solver NAME]\n"
                 "         [--threads N] [--gap-rows ours|own] [--warmup N] [--steps N]\n"
                 "         [--record FILE]\n",
                 argv[0]);
    return 2;
  }
  return talus::peers::Run(options);
}
