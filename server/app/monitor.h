// The pages for whoever watches over the server: /metrics, /healthz and /readyz on a port of their
// own.
//
// /healthz answers 200 as long as the process does. /readyz answers 503 with the reason while the
// server drains or its data directory cannot be written.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/app/metrics_page.h"
#include "server/telemetry/http_endpoint.h"

namespace talus::app {

// What `sources` refers to must outlive the endpoint. UNAVAILABLE names the address that could not
// be had.
absl::StatusOr<std::unique_ptr<telemetry::HttpEndpoint>> StartMonitor(
    const std::string& address, const MetricsSources& sources);

// Empty when the server is ready for calls, else why it is not.
std::string FindUnreadiness(const SceneHost& host);

}  // namespace talus::app
