#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "clients/cli/commands.h"
#include "clients/cli/conformance/ground.h"
#include "clients/cli/conformance/runner.h"

namespace talus::cli {
namespace {

using conformance::Outcome;

struct ConformanceOptions {
  std::vector<std::string> only;
  bool list = false;
  std::string reader_token_file;
};

const char* OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return "pass";
    case Outcome::kFail:
      return "FAIL";
    case Outcome::kSkip:
      return "skip";
  }
  return "";
}

void PrintLine(const conformance::Finding& finding) {
  std::printf("%-5s %-12s %-44s %7.3f s  %s\n", OutcomeName(finding.verdict.outcome),
              finding.area.c_str(), finding.name.c_str(), finding.seconds,
              finding.verdict.reason.c_str());
  std::fflush(stdout);
}

nlohmann::json ToJson(const conformance::Finding& finding) {
  const char* outcome =
      finding.verdict.outcome == Outcome::kFail ? "fail" : OutcomeName(finding.verdict.outcome);
  return {{"area", finding.area},
          {"check", finding.name},
          {"outcome", outcome},
          {"reason", finding.verdict.reason},
          {"seconds", finding.seconds}};
}

int64_t Count(const std::vector<conformance::Finding>& findings, Outcome outcome) {
  return std::ranges::count_if(findings, [&](const conformance::Finding& finding) {
    return finding.verdict.outcome == outcome;
  });
}

int PrintEnd(const Context& context, const std::vector<conformance::Finding>& findings, int left) {
  const int64_t passed = Count(findings, Outcome::kPass);
  const int64_t failed = Count(findings, Outcome::kFail);
  const int64_t skipped = Count(findings, Outcome::kSkip);
  if (context.json) {
    nlohmann::json checks = nlohmann::json::array();
    for (const conformance::Finding& finding : findings) checks.push_back(ToJson(finding));
    const nlohmann::json report = {
        {"server", context.Address()}, {"passed", passed},    {"failed", failed},
        {"skipped", skipped},          {"left_behind", left}, {"checks", checks}};
    std::printf("%s\n",
                report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  } else {
    std::printf("%lld passed, %lld failed, %lld skipped\n", static_cast<long long>(passed),
                static_cast<long long>(failed), static_cast<long long>(skipped));
  }
  if (left > 0) {
    Complain(kExitFailure, std::to_string(left) + " scenes or files of the checks are left behind");
  }
  return failed > 0 || left > 0 ? kExitFailure : kExitOk;
}

int RunConformance(const Context& context, const ConformanceOptions& chosen) {
  std::vector<std::string> unknown;
  const auto checks = conformance::ChooseChecks(chosen.only, unknown);
  if (!unknown.empty()) {
    return Complain(kExitUsage, "--only " + unknown.front() + ": no such area or check (--list)");
  }
  if (chosen.list) {
    for (const auto& check : checks) std::printf("%s.%s\n", check.area.c_str(), check.name.c_str());
    return kExitOk;
  }
  auto access = context.FindAccess();
  if (!access) return Complain(kExitUsage, access.error().message);
  client::ClientOptions options;
  options.access = *std::move(access);
  conformance::Ground ground(context.Address(), options, context.Call());
  if (!chosen.reader_token_file.empty()) {
    const auto reader = client::ReadAccess({"", "", "", chosen.reader_token_file});
    if (!reader) return Complain(kExitUsage, reader.error().message);
    ground.SetReaderToken(reader->token);
  }
  if (auto greeted = ground.Greet(); !greeted) return context.Report(greeted.error());
  const auto findings =
      conformance::RunChecks(checks, ground, [&](const conformance::Finding& finding) {
        if (!context.json) PrintLine(finding);
      });
  return PrintEnd(context, findings, ground.Clean());
}

}  // namespace

void AddConformanceCommand(CLI::App& app, Context& context) {
  auto options = std::make_shared<ConformanceOptions>();
  CLI::App* command = app.add_subcommand(
      "conformance",
      "Test a server against its contract, feature by feature: a line for each check, exit code 1 "
      "when one fails. It makes scenes of its own and deletes them");
  command
      ->add_option("--only", options->only,
                   "Areas or checks to run, AREA or AREA.CHECK; several by commas or repeated")
      ->delimiter(',');
  command->add_option("--reader-token-file", options->reader_token_file,
                      "File with a token of scope read, to test that it may not do more");
  command->add_flag("--list", options->list, "Print the checks and run none");
  command->callback([&context, options] { context.exit_code = RunConformance(context, *options); });
}

}  // namespace talus::cli
