#include "clients/cli/event_lines.h"

#include <cstdio>

#include "clients/cli/context.h"

namespace talus::cli {
namespace {

constexpr char kPrefix[] = "EVENT_KIND_";

std::string TextOf(const v1::SceneEvent& event) {
  std::string line = "step " + std::to_string(event.step_index()) + "  " + NameOf(event.kind());
  for (int i = 0; i < event.body_ids_size(); ++i) {
    line.append("  ").append(std::to_string(event.body_ids(i)));
    if (i < event.other_body_ids_size()) {
      line.append("-").append(std::to_string(event.other_body_ids(i)));
    }
  }
  if (!event.text().empty()) line += "  " + event.text();
  if (event.lateness_s() != 0.0) {
    char late[48];
    std::snprintf(late, sizeof late, "  late by %.6g s", event.lateness_s());
    line += late;
  }
  return line;
}

}  // namespace

std::string NameOf(v1::EventKind kind) {
  std::string name = v1::EventKind_Name(kind);
  if (name.rfind(kPrefix, 0) != 0) return std::to_string(static_cast<int>(kind));
  name.erase(0, sizeof kPrefix - 1);
  for (char& letter : name) letter = letter == '_' ? '-' : static_cast<char>(letter - 'A' + 'a');
  return name;
}

std::string EventLines(const v1::WatchEventsResponse& batch, bool json) {
  std::string lines;
  if (batch.lost_since_last() > 0) {
    lines = json ? "{\"lost_since_last\":\"" : "lost ";
    lines += std::to_string(batch.lost_since_last());
    lines += json ? "\"}\n" : " events\n";
  }
  for (const v1::SceneEvent& event : batch.events()) {
    lines += (json ? ToJson(event) : TextOf(event)) + '\n';
  }
  return lines;
}

}  // namespace talus::cli
