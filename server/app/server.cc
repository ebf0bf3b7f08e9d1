#include "server/app/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "server/app/access.h"
#include "server/app/monitor.h"
#include "server/app/version.h"
#include "server/rpc/grpc_server.h"
#include "server/rpc/library_logs.h"
#include "server/runtime/chosen_cores.h"
#include "server/runtime/time_slice.h"
#include "server/session/scene_host.h"
#include "server/telemetry/log.h"
#include "server/telemetry/process_usage.h"

namespace talus::app {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using telemetry::LogLevel;

// After the scenes have come to rest only answers under way and streams of health and reflection
// are left.
constexpr milliseconds kFlushPatience{500};

// Who steps large scenes steps aside for calls; with slices as short as theirs he may keep the core
// until the kernel's next tick. 0, as everybody, where the server is to be so.
microseconds FindLongSlice(int64_t time_slice_us) {
  if (time_slice_us == 0) return {};
  return std::max(microseconds(time_slice_us), microseconds(10'000));
}

SceneHostOptions MakeHostOptions(const Options& options, SceneLibrary scenes) {
  SceneHostOptions host;
  host.limits = options.limits;
  host.workers = options.workers;
  host.workers_per_scene = options.workers_per_scene;
  host.data_directory = options.data_dir;
  host.autosave_period = std::chrono::seconds(options.autosave_seconds);
  host.autosave_keep = options.autosave_keep;
  host.evict_after = std::chrono::seconds(options.evict_after_seconds);
  host.keep_awake = microseconds(options.keep_awake_us);
  host.time_slice = FindLongSlice(options.time_slice_us);
  host.step_nice = options.step_nice;
  host.report = [](const StorageEvent& event) {
    const bool warning = event.severity == StorageEvent::Severity::kWarning;
    telemetry::Log(warning ? LogLevel::kWarning : LogLevel::kInfo, event.what,
                   {{"resource", event.resource}, {"detail", event.detail}});
  };
  host.read_resident_bytes = telemetry::ReadResidentBytes;
  host.accept_hdf5 = options.accept_hdf5;
  host.library = std::make_shared<const SceneLibrary>(std::move(scenes));
  return host;
}

void ReportDamagedSnapshots(const SceneHost& host) {
  for (const std::string& id : host.FindDamagedSnapshots()) {
    telemetry::Log(LogLevel::kWarning, "snapshot is damaged", {{"snapshot", id}});
  }
}

// Every option in force. Files are named, what is in them is not.
void LogOptions(const Options& options) {
  std::vector<telemetry::LogField> fields;
  for (const auto& [name, value] : options.in_force) fields.push_back({name, value});
  telemetry::LogFields(LogLevel::kInfo, "options", fields);
}

// For the threads that the server starts from now on.
void AskForSlices(int64_t time_slice_us) {
  const microseconds asked(time_slice_us);
  if (AskForTimeSlices(asked) == asked || time_slice_us == 0) return;
  telemetry::Log(LogLevel::kInfo, "time slices are the system's",
                 {{"asked_us", std::to_string(time_slice_us)}});
}

// Connections and files take descriptors, and shells hand out fewer than a process may have.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

struct Server::Impl {
  std::unique_ptr<SceneHost> host;
  std::unique_ptr<rpc::GrpcServer> grpc;             // borrows the host, so it goes first
  std::unique_ptr<telemetry::HttpEndpoint> monitor;  // and so does this
  std::string metrics_address;
  bool drained = false;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
  if (impl_->grpc != nullptr) Drain(milliseconds(0));
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const Options& options, SceneLibrary scenes) {
  rpc::RouteLibraryLogs();
  LogOptions(options);
  AskForSlices(options.time_slice_us);
  RaiseDescriptorLimit();
  absl::StatusOr<rpc::AccessOptions> access = LoadAccess(options);
  if (!access.ok()) return access.status();
  auto impl = std::make_unique<Impl>();
  const std::string named_scenes = std::to_string(scenes.size());
  absl::StatusOr<std::unique_ptr<SceneHost>> host =
      SceneHost::Open(MakeHostOptions(options, std::move(scenes)));
  if (!host.ok()) return host.status();
  impl->host = *std::move(host);
  ReportDamagedSnapshots(*impl->host);

  if (options.metrics_listen.has_value()) {
    MetricsSources sources{*impl->host, kVersion, {}};
    if (access->tls.has_value()) sources.certificate_expires = access->tls->expires;
    auto monitor = StartMonitor(options.metrics_listen->ToString(), sources);
    if (!monitor.ok()) return monitor.status();
    impl->monitor = *std::move(monitor);
    impl->metrics_address = impl->monitor->address();
  }
  const ChosenCores chosen(options.call_cores);  // of the threads that gRPC starts
  absl::StatusOr<std::unique_ptr<rpc::GrpcServer>> grpc =
      rpc::GrpcServer::Start(*impl->host, options.listen, kVersion, *std::move(access));
  if (!grpc.ok()) return grpc.status();
  impl->grpc = *std::move(grpc);
  telemetry::Log(LogLevel::kInfo, "serving",
                 {{"version", kVersion},
                  {"workers", std::to_string(options.workers)},
                  {"workers_per_scene", std::to_string(options.workers_per_scene)},
                  {"data_dir", options.data_dir},
                  {"named_scenes", named_scenes}});
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

const std::vector<std::string>& Server::addresses() const { return impl_->grpc->addresses(); }

const std::string& Server::metrics_address() const { return impl_->metrics_address; }

bool Server::Drain(milliseconds patience) {
  if (std::exchange(impl_->drained, true)) return true;
  telemetry::Log(LogLevel::kInfo, "draining", {{"patience_ms", std::to_string(patience.count())}});
  impl_->grpc->AnnounceDrain();
  if (!impl_->host->Drain(patience)) {
    // Shutting gRPC down would wait for the calls that did not end.
    telemetry::Log(LogLevel::kWarning, "a scene did not come to rest in time; answers are lost");
    impl_->grpc->StopListening();
    return false;
  }
  impl_->grpc->Shutdown(kFlushPatience);
  telemetry::Log(LogLevel::kInfo, "drained");
  return true;
}

}  // namespace talus::app
