#include "server/app/metrics_page.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "server/rpc/call_counts.h"
#include "server/rpc/limit_counts.h"
#include "server/runtime/step_statistics.h"
#include "server/telemetry/process_usage.h"
#include "server/telemetry/stream_counts.h"

namespace talus::app {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

constexpr std::array<const char*, StepStatistics::kStageCount> kStageNames = {
    "find_pairs",     "find_contacts",  "advance_velocities", "assemble_problem",
    "solve_contacts", "apply_impulses", "advance_poses"};
constexpr std::array<const char*, StepStatistics::kOutcomeCount> kOutcomeNames = {
    "solved", "unconverged", "without_contacts"};

constexpr std::array<const char*, StepStatistics::kMadeAheadCount> kMadeAheadNames = {
    "nothing", "beginning", "result"};

class Page {
 public:
  MetricFamily& Family(const char* name, const char* help, MetricType type) {
    return families_.emplace_back(MetricFamily{name, help, type, {}});
  }
  void Gauge(const char* name, const char* help, double value) {
    ClientMetric metric;
    metric.gauge.value = value;
    Family(name, help, MetricType::Gauge).metric.push_back(std::move(metric));
  }
  void Counter(const char* name, const char* help, double value) {
    AddCounter(Family(name, help, MetricType::Counter), {}, value);
  }
  void Histogram(const char* name, const char* help, const BucketLadder& ladder,
                 const HistogramReading& reading) {
    AddHistogram(Family(name, help, MetricType::Histogram), {}, ladder, reading);
  }
  static void AddCounter(MetricFamily& family, Labels labels, double value) {
    ClientMetric metric;
    metric.label = std::move(labels);
    metric.counter.value = value;
    family.metric.push_back(std::move(metric));
  }
  static void AddHistogram(MetricFamily& family, Labels labels, const BucketLadder& ladder,
                           const HistogramReading& reading) {
    ClientMetric metric;
    metric.label = std::move(labels);
    uint64_t sum = 0;
    for (int i = 0; i < ladder.count; ++i) {
      sum += static_cast<uint64_t>(reading.counts[static_cast<size_t>(i)]);
      metric.histogram.bucket.push_back({sum, ladder.UpperBound(i)});
    }
    metric.histogram.sample_count = sum;
    metric.histogram.sample_sum = reading.sum;
    family.metric.push_back(std::move(metric));
  }
  std::string Text() const { return prometheus::TextSerializer().Serialize(families_); }

 private:
  std::vector<MetricFamily> families_;
};

void AddSteps(const StepStatistics& statistics, Page& page) {
  const StepStatistics::Reading steps = statistics.Read();
  MetricFamily& made = page.Family(
      "talus_steps_total", "Steps made, by how the contact solve ended.", MetricType::Counter);
  for (size_t i = 0; i < kOutcomeNames.size(); ++i) {
    Page::AddCounter(made, {{"outcome", kOutcomeNames[i]}}, static_cast<double>(steps.steps[i]));
  }
  MetricFamily& ahead = page.Family("talus_steps_made_ahead_total",
                                    "Steps made, by what had been made before they were asked for.",
                                    MetricType::Counter);
  for (size_t i = 0; i < kMadeAheadNames.size(); ++i) {
    Page::AddCounter(ahead, {{"part", kMadeAheadNames[i]}},
                     static_cast<double>(steps.made_ahead[i]));
  }
  page.Histogram("talus_step_seconds", "Wall-clock time of a step, all stages.",
                 StepStatistics::kSeconds, steps.step);
  MetricFamily& stages = page.Family(
      "talus_step_stage_seconds", "Wall-clock time of one stage of a step.", MetricType::Histogram);
  for (size_t i = 0; i < kStageNames.size(); ++i) {
    Page::AddHistogram(stages, {{"stage", kStageNames[i]}}, StepStatistics::kSeconds,
                       steps.stages[i]);
  }
  page.Histogram("talus_step_residual", "Residual of the contact solves of steps.",
                 StepStatistics::kResidual, steps.residual);
  page.Histogram("talus_step_real_time_factor",
                 "Simulated time of a step over its wall-clock time.", StepStatistics::kSpeed,
                 steps.speed);
  page.Counter("talus_simulated_seconds_total", "Simulated time of all steps.", steps.simulated_s);
  page.Counter("talus_contacts_solved_total", "Contacts solved, summed over steps.",
               static_cast<double>(steps.contacts));
  page.Counter("talus_solver_sweeps_total", "Sweeps of the contact solver, summed over steps.",
               static_cast<double>(steps.sweeps));
  page.Counter("talus_body_steps_total", "Bodies stepped, summed over steps.",
               static_cast<double>(steps.bodies));
  page.Counter("talus_scene_faults_total", "Steps that left all bounds or were not finite.",
               static_cast<double>(steps.faults));
  page.Counter("talus_missed_ticks_total", "Ticks of REAL_TIME controllers that were missed.",
               static_cast<double>(steps.missed_ticks));
}

void AddLoad(const HostLoad& load, Page& page) {
  const auto gauge = [&](const char* name, const char* help, int64_t value) {
    page.Gauge(name, help, static_cast<double>(value));
  };
  gauge("talus_scenes", "Scenes held.", load.scenes.scenes);
  gauge("talus_scenes_faulted", "Scenes that are FAULTED.", load.scenes.faulted);
  gauge("talus_scenes_evicted", "Scenes whose state is on disk.", load.scenes.evicted);
  gauge("talus_bodies", "Bodies in all scenes.", load.scenes.bodies);
  gauge("talus_joints", "Joints in all scenes.", load.scenes.joints);
  gauge("talus_watchers", "Streams that watch a scene.", load.scenes.watchers);
  gauge("talus_mailbox_waiting", "Commands that wait in mailboxes.", load.scenes.waiting);
  gauge("talus_mailbox_waiting_most", "Commands that wait in the fullest mailbox.",
        load.scenes.most_waiting);
  gauge("talus_executor_busy", "Scenes that step or wait for a thread.", load.executor_busy);
  gauge("talus_cores_lent", "Cores lent to steps.", load.cores_lent);
  gauge("talus_analyses_held", "Analyses, models and step problems that wait or are at work.",
        load.analyses);
  page.Counter("talus_evictions_total", "Times the memory of an idle scene was let go.",
               static_cast<double>(load.evictions));
  page.Counter("talus_evicted_scene_returns_total", "Times an evicted scene came back to memory.",
               static_cast<double>(load.returns));
  const RecordingLoad& recordings = load.recordings;
  gauge("talus_recordings_under_way", "Recordings under way.", recordings.under_way);
  MetricFamily& ended =
      page.Family("talus_recordings_total", "Recordings that ended, by how.", MetricType::Counter);
  Page::AddCounter(ended, {{"outcome", "complete"}}, static_cast<double>(recordings.completed));
  Page::AddCounter(ended, {{"outcome", "failed"}}, static_cast<double>(recordings.failed));
  page.Counter("talus_recorded_bytes_total", "Bytes of the recordings that ended.",
               static_cast<double>(recordings.bytes));
  gauge("talus_draining", "1 once the server drains.", load.draining ? 1 : 0);
}

void AddCalls(Page& page) {
  MetricFamily& calls = page.Family("talus_calls_total", "Calls that ended, by RPC and gRPC code.",
                                    MetricType::Counter);
  for (const rpc::RpcAccess& rpc : rpc::AllRpcs()) {
    for (int code = 0; code < rpc::kCodeCount; ++code) {
      const auto status_code = static_cast<absl::StatusCode>(code);
      const int64_t count = rpc::CallsEnded(rpc, status_code);
      // A code that never came is left out, except OK.
      if (count == 0 && code != 0) continue;
      Page::AddCounter(
          calls,
          {{"method", std::string(rpc.method)}, {"code", absl::StatusCodeToString(status_code)}},
          static_cast<double>(count));
    }
  }
  MetricFamily& refusals =
      page.Family("talus_limit_refusals_total", "Requests refused, by the limit they would exceed.",
                  MetricType::Counter);
  for (const std::string& limit : rpc::LimitNames()) {
    Page::AddCounter(refusals, {{"limit", limit}}, static_cast<double>(rpc::RefusalsBy(limit)));
  }
  const telemetry::StreamCounts& frames = telemetry::TheStreamCounts();
  page.Counter("talus_frames_sent_total", "Frames written to watchers.",
               static_cast<double>(frames.frames_sent.load()));
  page.Counter("talus_frames_dropped_total", "Frames that slow watchers missed.",
               static_cast<double>(frames.frames_dropped.load()));
}

void AddProcess(const MetricsSources& sources, Page& page) {
  const telemetry::ProcessUsage usage = telemetry::ReadProcessUsage();
  page.Gauge("process_resident_memory_bytes", "Resident memory.",
             static_cast<double>(usage.resident_bytes));
  page.Gauge("talus_heap_bytes", "Memory handed out by the allocator and not yet given back.",
             static_cast<double>(usage.heap_bytes));
  page.Counter("process_cpu_seconds_total", "Processor time of the process.", usage.cpu_s);
  page.Gauge("process_open_fds", "Open file descriptors.",
             static_cast<double>(usage.open_descriptors));
  page.Gauge("process_max_fds", "File descriptors the process may have open.",
             static_cast<double>(usage.most_descriptors));
  page.Gauge("process_threads", "Threads of the process.", static_cast<double>(usage.threads));
  MetricFamily& info = page.Family("talus_build_info", "1, with the version.", MetricType::Gauge);
  ClientMetric metric;
  metric.label = {{"version", sources.version}};
  metric.gauge.value = 1;
  info.metric.push_back(std::move(metric));
  if (sources.certificate_expires.has_value()) {
    const std::chrono::duration<double> at = sources.certificate_expires->time_since_epoch();
    page.Gauge("talus_tls_certificate_expires_seconds",
               "When the server's certificate expires, seconds since 1970.", at.count());
  }
}

}  // namespace

std::string MakeMetricsPage(const MetricsSources& sources) {
  Page page;
  AddSteps(sources.host.steps(), page);
  AddLoad(sources.host.load(), page);
  AddCalls(page);
  AddProcess(sources, page);
  return page.Text();
}

}  // namespace talus::app
