#include "server/app/monitor.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace talus::app {
namespace {

using telemetry::HttpAnswer;

// Below this no snapshot worth its name can be stored.
constexpr std::uintmax_t kLeastFreeBytes = std::uintmax_t{1} << 20;

}  // namespace

std::string FindUnreadiness(const SceneHost& host) {
  if (host.load().draining) return "draining";
  const std::string& directory = host.options().data_directory;
  if (directory.empty()) return {};
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    return "data directory " + directory + ": " + std::strerror(errno);
  }
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(directory, error);
  if (error) return "data directory " + directory + ": " + error.message();
  if (space.available < kLeastFreeBytes) return "data directory " + directory + ": disk full";
  return {};
}

absl::StatusOr<std::unique_ptr<telemetry::HttpEndpoint>> StartMonitor(
    const std::string& address, const MetricsSources& sources) {
  telemetry::HttpEndpoint::Pages pages;
  pages["/metrics"] = [sources] {
    return HttpAnswer{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                      .body = MakeMetricsPage(sources)};
  };
  pages["/healthz"] = [] { return HttpAnswer{.body = "ok\n"}; };
  pages["/readyz"] = [&host = sources.host] {
    const std::string why = FindUnreadiness(host);
    if (why.empty()) return HttpAnswer{.body = "ready\n"};
    return HttpAnswer{.status = 503, .body = "not ready: " + why + '\n'};
  };
  std::string why;
  auto endpoint = telemetry::HttpEndpoint::Start(address, std::move(pages), &why);
  if (endpoint == nullptr) return absl::UnavailableError(why);
  return endpoint;
}

}  // namespace talus::app
