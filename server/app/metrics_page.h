// The server in numbers, in the text form Prometheus reads.
//
// Asks everybody for what they count and gives it names; counts nothing itself. No label takes its
// values from callers, so the page has the same lines whatever they do. docs/OPERATIONS.md lists
// the metrics.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "server/session/scene_host.h"

namespace talus::app {

struct MetricsSources {
  const SceneHost& host;
  std::string version;
  std::optional<std::chrono::system_clock::time_point> certificate_expires;
};

// The page as it is now.
std::string MakeMetricsPage(const MetricsSources& sources);

}  // namespace talus::app
