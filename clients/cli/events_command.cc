#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/commands.h"
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

constexpr char kPrefix[] = "EVENT_KIND_";

// `contact-begin` of EVENT_KIND_CONTACT_BEGIN.
std::string NameOf(v1::EventKind kind) {
  std::string name = v1::EventKind_Name(kind);
  if (name.rfind(kPrefix, 0) != 0) return std::to_string(static_cast<int>(kind));
  name.erase(0, sizeof kPrefix - 1);
  for (char& letter : name) letter = letter == '_' ? '-' : static_cast<char>(letter - 'A' + 'a');
  return name;
}

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

void PrintEvent(const v1::SceneEvent& event) {
  std::printf("step %lld  %s", static_cast<long long>(event.step_index()),
              NameOf(event.kind()).c_str());
  for (int i = 0; i < event.body_ids_size(); ++i) {
    std::printf("  %llu", static_cast<unsigned long long>(event.body_ids(i)));
    if (i < event.other_body_ids_size()) {
      std::printf("-%llu", static_cast<unsigned long long>(event.other_body_ids(i)));
    }
  }
  if (!event.text().empty()) std::printf("  %s", event.text().c_str());
  if (event.lateness_s() != 0.0) std::printf("  late by %.6g s", event.lateness_s());
  std::printf("\n");
}

// False: so many events as asked for were printed.
bool PrintBatch(const Context& context, const v1::WatchEventsResponse& batch, int64_t& left) {
  if (!context.json && batch.lost_since_last() > 0) {
    std::printf("lost %lld events\n", static_cast<long long>(batch.lost_since_last()));
  }
  for (const v1::SceneEvent& event : batch.events()) {
    if (context.json) {
      PrintJson(event);
    } else {
      PrintEvent(event);
    }
    if (left > 0 && --left == 0) return false;
  }
  std::fflush(stdout);
  return true;
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
