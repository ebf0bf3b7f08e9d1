#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/commands.h"
#include "clients/cpp/server_process.h"

namespace talus::cli {
int Serve(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{client::FindServerBinary()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  return Complain(kExitFailure, "cannot run " + words[0] + ": " + std::strerror(errno));
}

namespace {

// Of a limit that 0 says there is none of.
std::string BoundOrAny(int64_t limit) { return limit > 0 ? std::to_string(limit) : "any"; }

int Info(const Context& context) {
  auto info = context.Connect().GetServerInfo({}, context.Call());
  if (!info) return context.Report(info.error());
  if (context.json) {
    PrintJson(*info);
    return kExitOk;
  }
  const v1::Limits& limits = info->limits();
  std::printf("talus_server %s at %s\n", info->version().c_str(), context.Address().c_str());
  std::printf("uptime               %.0f s\n", info->uptime_s());
  std::printf("scenes               %lld of %lld\n", static_cast<long long>(info->scene_count()),
              static_cast<long long>(limits.scenes()));
  std::printf("memory               %lld of %s bytes\n",
              static_cast<long long>(info->memory_bytes()),
              BoundOrAny(limits.memory_bytes()).c_str());
  std::printf("worker threads       %d, at most %d for one scene\n", info->worker_threads(),
              info->worker_threads_per_scene());
  std::printf("vector instructions  %s\n", info->simd().c_str());
  std::printf("bodies per scene     %lld\n", static_cast<long long>(limits.bodies_per_scene()));
  std::printf("contacts per scene   %lld\n", static_cast<long long>(limits.contacts_per_scene()));
  std::printf("steps per call       %lld\n", static_cast<long long>(limits.steps_per_call()));
  std::printf("steps per second     %s\n", BoundOrAny(limits.steps_per_second()).c_str());
  std::printf("commands per scene   %lld\n", static_cast<long long>(limits.mailbox_depth()));
  std::printf("watchers per scene   %lld\n", static_cast<long long>(limits.watchers_per_scene()));
  std::printf("message size         %lld bytes\n", static_cast<long long>(limits.message_bytes()));
  std::printf("snapshots            %lld of at most %lld bytes\n",
              static_cast<long long>(limits.snapshots()),
              static_cast<long long>(limits.snapshot_bytes()));
  return kExitOk;
}

int Features(const Context& context) {
  auto features = context.Connect().GetFeatures({}, context.Call());
  if (!features) return context.Report(features.error());
  if (context.json) {
    PrintJson(*features);
    return kExitOk;
  }
  for (const v1::Feature& feature : features->features()) {
    std::string rpcs;
    for (const std::string& rpc : feature.rpcs()) rpcs += (rpcs.empty() ? "" : ", ") + rpc;
    const bool both = !rpcs.empty() && !feature.note().empty();
    std::printf("%-4s %2d %-26s %s%s%s\n", feature.offered() ? "yes" : "no", feature.number(),
                feature.name().c_str(), rpcs.c_str(), both ? "; " : "", feature.note().c_str());
  }
  return kExitOk;
}

}  // namespace

void AddServeCommand(CLI::App& app, Context& context) {
  CLI::App* serve = app.add_subcommand(
      "serve", "Become talus_server; all further arguments are its own (serve --help)");
  serve->prefix_command();
  serve->callback([serve, &context] { context.exit_code = Serve(serve->remaining()); });
}

void AddServerCommands(CLI::App& app, Context& context) {
  app.add_subcommand("info", "Version, limits and load of the server")->callback([&context] {
    context.exit_code = Info(context);
  });
  app.add_subcommand("features",
                     "What the server offers of the ROS 2 standard simulation_interfaces")
      ->callback([&context] { context.exit_code = Features(context); });
  app.add_subcommand("version", "Version of talusctl")->callback([&context] {
    std::printf(context.json ? "{\"version\":\"%s\"}\n" : "talusctl %s\n", TALUS_VERSION);
  });
}

}  // namespace talus::cli
