#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "clients/cli/commands.h"
#include "clients/cli/doctor.h"

namespace talus::cli {
namespace {

using State = Finding::State;

const char* FindingStateName(State state) {
  switch (state) {
    case State::kGood:
      return "good";
    case State::kWarning:
      return "warning";
    case State::kBad:
      return "bad";
  }
  return "";
}

void PrintTable(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    std::printf("%-8s %-12s %s\n", FindingStateName(finding.state), finding.check.c_str(),
                finding.found.c_str());
    if (!finding.advice.empty()) std::printf("%21s -> %s\n", "", finding.advice.c_str());
  }
}

void PrintFindings(const std::string& address, bool healthy, const std::vector<Finding>& findings) {
  nlohmann::json checks = nlohmann::json::array();
  for (const Finding& finding : findings) {
    checks.push_back({{"check", finding.check},
                      {"state", FindingStateName(finding.state)},
                      {"found", finding.found},
                      {"advice", finding.advice}});
  }
  const nlohmann::json report = {{"server", address}, {"healthy", healthy}, {"checks", checks}};
  std::printf("%s\n",
              report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

int Diagnose(const Context& context) {
  auto access = context.FindAccess();
  if (!access) return Complain(kExitUsage, access.error().message);
  client::ClientOptions options;
  options.access = *std::move(access);
  // Nobody waits a minute to learn that no server is there.
  constexpr double kMostPatienceS = 5.0;
  const double patience_s =
      context.timeout_s > 0 ? std::min(context.timeout_s, kMostPatienceS) : kMostPatienceS;
  const std::vector<Finding> findings =
      Examine(context.Address(), options,
              std::chrono::milliseconds(static_cast<int64_t>(1000 * patience_s)));
  bool healthy = true;
  for (const Finding& finding : findings) healthy = healthy && finding.state != State::kBad;
  if (context.json) {
    PrintFindings(context.Address(), healthy, findings);
  } else {
    PrintTable(findings);
  }
  return healthy ? kExitOk : kExitFailure;
}

}  // namespace

void AddDoctorCommand(CLI::App& app, Context& context) {
  app.add_subcommand("doctor", "Find out what is wrong with a server, and what to do about it")
      ->callback([&context] { context.exit_code = Diagnose(context); });
}

}  // namespace talus::cli
