#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/commands.h"
#include "clients/cli/event_lines.h"
#include "clients/cli/interruption.h"
#include "clients/cpp/client.h"

namespace talus::cli {
namespace {

struct EventsArguments {
  std::string scene;
  std::vector<std::string> kinds;
  std::vector<std::string> bodies;
  int64_t count = 0;
};

const std::map<std::string, v1::EventKind>& Kinds() {
  static const std::map<std::string, v1::EventKind> kinds = [] {
    std::map<std::string, v1::EventKind> named;
    for (int number = 1; number <= v1::EventKind_MAX; ++number) {
      const auto kind = static_cast<v1::EventKind>(number);
      if (v1::EventKind_IsValid(number)) named.emplace(NameOf(kind), kind);
    }
    return named;
  }();
  return kinds;
}

// False: so many events as asked for were printed.
bool PrintBatch(const Context& context, v1::WatchEventsResponse batch, int64_t& left) {
  if (left > 0 && batch.events_size() >= left) {
    batch.mutable_events()->DeleteSubrange(static_cast<int>(left),
                                           batch.events_size() - static_cast<int>(left));
  }
  std::fputs(EventLines(batch, context.json).c_str(), stdout);
  std::fflush(stdout);
  if (left == 0) return true;
  left -= batch.events_size();
  return left > 0;
}

int Events(const Context& context, const EventsArguments& arguments) {
  client::Client client = context.Connect();
  auto scene = ChooseScene(client, arguments.scene, context.Call());
  if (!scene) return context.Report(scene.error());
  v1::WatchEventsRequest request;
  request.set_scene(*scene);
  for (const std::string& kind : arguments.kinds) request.add_kinds(Kinds().at(kind));
  for (const std::string& body : arguments.bodies) request.mutable_bodies()->add_names(body);
  const Interruption interruption;
  auto stream = client.WatchEvents(request, {std::chrono::milliseconds{0}, interruption.token()});
  int64_t left = arguments.count;
  bool begun = false;
  while (const auto batch = stream.Read()) {
    if (!begun && !context.json) {
      std::printf("step %lld  watching\n", static_cast<long long>(batch->step_index()));
    }
    begun = true;
    if (!PrintBatch(context, *batch, left)) return kExitOk;
  }
  const auto end = stream.Finish();
  if (!end && !interruption.requested()) return context.Report(end.error());
  return kExitOk;
}

}  // namespace

void AddEventsCommand(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<EventsArguments>();
  CLI::App* events =
      app.add_subcommand("events", "Tell what happens in a scene until Ctrl-C, a line an event");
  events->add_option("scene", arguments->scene,
                     "Scene; may be left out when the server holds one only");
  std::string names;
  for (const auto& [name, unused] : Kinds()) names += (names.empty() ? "" : ", ") + name;
  events->add_option("--kind", arguments->kinds, "Only these; may be repeated: " + names)
      ->check([names](const std::string& name) {
        return Kinds().count(name) > 0 ? "" : name + " must be one of " + names;
      });
  events->add_option("--body", arguments->bodies,
                     "Of events of bodies only those of this one, by name; may be repeated");
  events->add_option("--count", arguments->count, "Stop after so many events; 0: never")
      ->capture_default_str();
  events->callback([arguments, &context] { context.exit_code = Events(context, *arguments); });
}

}  // namespace talus::cli
