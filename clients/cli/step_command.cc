#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "clients/cli/commands.h"
#include "clients/cli/interruption.h"

namespace talus::cli {
namespace {

struct StepArguments {
  std::string scene;
  int64_t count = 1;
  std::optional<int64_t> expected;
  std::string request_id;
  bool history = false;
  std::string keep_problem = "never";
};

int Step(const Context& context, const StepArguments& arguments) {
  client::Client client = context.Connect();
  auto scene = ChooseScene(client, arguments.scene, context.Call());
  if (!scene) return context.Report(scene.error());
  v1::StepRequest request;
  request.set_scene(*scene);
  request.set_step_count(arguments.count);
  if (arguments.expected) request.set_expected_step_index(*arguments.expected);
  request.set_request_id(arguments.request_id);
  request.set_residual_history(arguments.history);
  request.set_problem_capture(arguments.keep_problem == "always" ? v1::PROBLEM_CAPTURE_ALWAYS
                              : arguments.keep_problem == "unconverged"
                                  ? v1::PROBLEM_CAPTURE_UNCONVERGED
                                  : v1::PROBLEM_CAPTURE_NEVER);
  request.mutable_selection()->set_report(true);
  const Interruption interruption;
  client::CallOptions call = context.Call();
  call.stop = interruption.token();
  auto response = client.Step(request, call);
  if (!response) {
    const int code = context.Report(response.error());
    return interruption.requested() ? kExitInterrupted : code;
  }
  if (context.json) {
    PrintJson(*response);
    return kExitOk;
  }
  const v1::StepReport& report = response->frame().report();
  std::printf("step %lld  time %.6g s  hash %s\n",
              static_cast<long long>(response->frame().step_index()), response->frame().time_s(),
              HexHash(response->frame().state_hash()).c_str());
  std::printf(
      "bodies %lld  contacts %lld  steps done %lld  worst residual %.3g  unconverged %lld"
      "  worst penetration %.3g m\n",
      static_cast<long long>(report.body_count()), static_cast<long long>(report.contact_count()),
      static_cast<long long>(response->steps_done()), response->worst_residual(),
      static_cast<long long>(response->unconverged_steps()), response->worst_penetration_m());
  for (int i = 0; i < report.residual_history_size(); ++i) {
    std::printf("sweep %d residual %.6g\n", i + 1, report.residual_history(i));
  }
  return kExitOk;
}

}  // namespace

void AddStepCommand(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<StepArguments>();
  CLI::App* step = app.add_subcommand("step", "Make a scene take steps");
  step->add_option("scene", arguments->scene,
                   "Scene; may be left out when the server holds one only");
  step->add_option("count,--count,-n", arguments->count, "Steps to make")->capture_default_str();
  step->add_option("--expect", arguments->expected, "Fail unless the scene is at this step");
  step->add_option("--request-id", arguments->request_id, "A repeat with the same id steps once");
  step->add_flag("--residual-history", arguments->history, "Residual after every sweep");
  step->add_option("--keep-problem", arguments->keep_problem,
                   "Keep the contact problem of steps for the command `problem`")
      ->check(CLI::IsMember({"never", "unconverged", "always"}))
      ->capture_default_str();
  step->callback([arguments, &context] { context.exit_code = Step(context, *arguments); });
}

}  // namespace talus::cli
