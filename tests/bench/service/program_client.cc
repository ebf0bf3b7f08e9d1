#include "tests/bench/service/program_client.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/bench/service/step_trips.h"

namespace talus::bench {
namespace {

constexpr char kScene[] = "ten";

std::string Quote(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// What the command printed; its standard error is ours.
absl::StatusOr<std::string> RunProgram(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += Quote(word) + " ";
  std::FILE* const pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return absl::UnavailableError("cannot run " + line);
  std::string output;
  std::array<char, 4096> chunk{};
  for (size_t got; (got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
    output.append(chunk.data(), got);
  }
  const int status = ::pclose(pipe);
  if (status == 0) return output;
  return absl::InternalError(line + "ended with status " + std::to_string(status));
}

absl::StatusOr<ServiceRow> ReadRow(const std::string& text, StepGoal* reached) {
  const nlohmann::json told = nlohmann::json::parse(text, nullptr, false);
  if (!told.is_object()) return absl::InternalError("no JSON object: " + text);
  ServiceRow row;
  try {
    row.count = told.at("count").get<int64_t>();
    row.median_us = told.at("median_us").get<double>();
    row.p99_us = told.at("p99_us").get<double>();
    row.rate_per_s = told.at("rate_per_s").get<double>();
    row.echo_median_us = told.at("echo_median_us").get<double>();
    row.echo_p99_us = told.at("echo_p99_us").get<double>();
    row.echo_rate_per_s = told.at("echo_rate_per_s").get<double>();
    reached->step_index = told.at("step_index").get<int64_t>();
    reached->state_hash = std::stoull(told.at("state_hash").get<std::string>());
  } catch (const std::exception& error) {
    return absl::InternalError(std::string(error.what()) + " in " + text);
  }
  // As many steps as were timed, and the few before them that were not.
  if (reached->step_index >= row.count) return row;
  return absl::InternalError("fewer steps than calls: " + text);
}

}  // namespace

std::vector<ProgramClient> ListProgramClients() {
  std::vector<ProgramClient> programs;
#ifdef TALUS_BENCH_PYTHON
  programs.push_back(
      {"python",
       {"/usr/bin/env", "PYTHONPATH=" TALUS_BENCH_PYTHON, "PYTHONDONTWRITEBYTECODE=1",
        "/usr/bin/python3", TALUS_BENCH_SCRIPTS "/unary_steps.py"}});
#endif
#ifdef TALUS_BENCH_NODE
  programs.push_back({"node",
                      {TALUS_BENCH_NODE, TALUS_BENCH_SCRIPTS "/unary_steps.cjs", "--package",
                       TALUS_BENCH_NODE_PACKAGE}});
#endif
  return programs;
}

absl::StatusOr<ServiceRow> MeasureProgram(const ProgramClient& program, const ServerPair& servers,
                                          const Effort& effort) {
  absl::Status created = CreateTenBalls(servers.OpenTalus(), kScene);
  if (!created.ok()) return created;
  std::vector<std::string> words = program.command;
  words.insert(words.end(), {"--talus", servers.talus_address(), "--echo", servers.echo_address(),
                             "--scene", kScene});
  if (effort.count > 0) {
    words.insert(words.end(), {"--count", std::to_string(effort.count)});
  } else {
    words.insert(words.end(), {"--seconds", std::to_string(effort.seconds)});
  }
  const absl::StatusOr<std::string> output = RunProgram(words);
  if (!output.ok()) return output.status();
  StepGoal reached;
  absl::StatusOr<ServiceRow> row = ReadRow(*output, &reached);
  if (!row.ok()) return row;
  absl::Status right = CheckTenBalls(reached);
  if (!right.ok()) return right;
  row->client = program.name;
  row->server_mib = servers.ReadTalusMib();
  return row;
}

}  // namespace talus::bench
