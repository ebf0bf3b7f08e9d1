#include "server/app/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <thread>

#include "server/app/cpu_quota.h"
#include "server/app/version.h"
#include "server/runtime/nice_value.h"

namespace talus::app {
namespace {

using rpc::ListenAddress;
using rpc::ParseListenAddress;

constexpr int kBadOptions = 2;

// Callers who step again as soon as they have the answer, in any language.
constexpr int64_t kLockStepUs = 300;

// Where a core is left for everybody else, no call waits for steps that go first. Under a quota
// they would use up what calls need, and who gave the server a nice value has said already whom it
// is to give way to.
int FindStepNice(int workers) {
  constexpr int kFirst = -10;
  const bool leaves_core = workers < static_cast<int>(std::thread::hardware_concurrency());
  const bool untouched = FindNiceValue() == 0;
  const bool goes_first = leaves_core && untouched && !HasCpuQuota();
  return goes_first && CheckNiceValue("--step-nice", kFirst).ok() ? kFirst : 0;
}

std::string EnvironmentName(std::string_view option) {
  std::string name = "TALUS_";
  for (const char c : option) {
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

// Adds `--name` with its environment variable.
template <typename T>
CLI::Option* AddOption(CLI::App& app, std::string_view name, T& value, const std::string& help) {
  return app.add_option("--" + std::string(name), value, help)
      ->envname(EnvironmentName(name))
      ->capture_default_str();
}

// What the limits in bytes are as options: whole mebibytes.
struct Mebibytes {
  static constexpr int kShift = 20;
  explicit Mebibytes(const Limits& limits)
      : message(limits.message_bytes >> kShift),
        snapshot(limits.snapshot_bytes >> kShift),
        model(limits.model_bytes >> kShift),
        storage(limits.storage_bytes >> kShift),
        recording(limits.recording_bytes >> kShift),
        memory(limits.memory_bytes >> kShift) {}
  void Apply(Limits& limits) const {
    limits.message_bytes = message << kShift;
    limits.snapshot_bytes = snapshot << kShift;
    limits.model_bytes = model << kShift;
    limits.storage_bytes = storage << kShift;
    limits.recording_bytes = recording << kShift;
    limits.memory_bytes = memory << kShift;
  }
  int64_t message;
  int64_t snapshot;
  int64_t model;
  int64_t storage;
  int64_t recording;
  int64_t memory;
};

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
constexpr int64_t kMostMessageMib = 2047;  // gRPC counts the bytes of a message in int

void AddLimits(CLI::App& app, Limits& limits, Mebibytes& mebibytes) {
  const auto add = [&](std::string_view name, int64_t& value, const std::string& help,
                       int64_t most = kMost, int64_t least = 1) {
    AddOption(app, name, value, help)->check(CLI::Range(least, most))->group("Limits");
  };
  add("max-message-mib", mebibytes.message, "MiB in one message, either way", kMostMessageMib);
  add("max-memory-mib", mebibytes.memory,
      "MiB of the server's memory above which nothing is made or added; 0: any", kMost, 0);
  add("max-scenes", limits.scenes, "Scenes held at once");
  add("max-scenes-per-client", limits.scenes_per_client,
      "Scenes held at once that one client made, who is known by his token or else his address; "
      "0: any number",
      kMost, 0);
  add("max-bodies", limits.bodies_per_scene,
      "Bodies in one scene, those owed by emitters included");
  add("max-contacts", limits.contacts_per_scene, "Contacts in one step of a scene");
  add("max-steps-per-call", limits.steps_per_call, "Steps in one Step call");
  add("max-steps-per-second", limits.steps_per_second,
      "Steps one scene may make a second; 0: any number", kMost, 0);
  add("max-connections", limits.connections, "Connections at once");
  add("mailbox-depth", limits.mailbox_depth, "Changes waiting for one scene, and as many reads");
  add("max-watchers", limits.watchers_per_scene, "Streams watching one scene");
  add("max-snapshot-mib", mebibytes.snapshot, "MiB of one stored snapshot");
  add("max-snapshots", limits.snapshots, "Snapshots stored");
  add("max-model-mib", mebibytes.model, "MiB of the models that are imported at a time");
  add("max-storage-mib", mebibytes.storage, "MiB in the data directory, all together");
  add("max-recordings", limits.recordings, "Recordings stored, those under way included");
  add("max-recording-mib", mebibytes.recording, "MiB of one recording");
  add("max-recordings-per-scene", limits.recordings_per_scene,
      "Recordings of one scene under way at once");
  add("max-analyses", limits.analyses,
      "Analyses held at once, the one at work included; and as many models and step problems");
  add("pipeline-depth", limits.pipeline_depth, "Requests of one Control without an answer", 1024);
  add("max-lease-seconds", limits.lease_seconds,
      "Longest time without a request for which a caller may ask to keep the lease", 86'400);
}

void AddMachine(CLI::App& app, Options& options) {
  AddOption(
      app, "data-dir", options.data_dir,
      "Directory of stored snapshots, scenes and recordings; without it nothing can be stored");
  AddOption(app, "scenes", options.scenes_dir,
            "Directory of scene files NAME.json, read once: callers make these scenes by name");
  AddOption(app, "workers", options.workers, "Cores lent to steps in all")
      ->check(CLI::Range(1, 1024));
  AddOption(app, "workers-per-scene", options.workers_per_scene,
            "Most cores lent to one step; 0: as many as --workers")
      ->check(CLI::Range(0, 1024));
  AddOption(app, "call-cores", options.call_cores,
            "Cores, counted from 0, for the threads that bring calls and make short steps; others "
            "run on all. One core for a controller in lock-step keeps what he steps in its caches")
      ->delimiter(',')
      ->check(CLI::Number)  // or nothing would be 0
      ->default_str("any");
  AddOption(app, "keep-awake-us", options.keep_awake_us,
            "Where steps shorter than 50 microseconds come no farther apart, keep two cores from "
            "falling asleep between them, with threads of the lowest priority, as long as steps "
            "come sooner so; 0: never, which is the default where CPU time has a quota")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}));
  AddOption(
      app, "time-slice-us", options.time_slice_us,
      "Ask the system for time slices of this length, 100 to 100000: the shorter, the sooner a "
      "thread that wakes up gets a core that another program uses (Linux 6.12 and later); "
      "threads that step large scenes ask for 10000 or more, and step aside for calls; 0: all as "
      "everybody")
      ->check(CLI::IsMember({int64_t{0}}) | CLI::Range(int64_t{100}, int64_t{100'000}));
  AddOption(app, "step-nice", options.step_nice,
            "Nice value of the threads that step large scenes: below 0 they go before viewers on "
            "the same machine, and before calls of small scenes where no core is left for those; "
            "above they give way; 0: that of the whole server")
      ->check(CLI::Range(-20, 19))
      ->default_str(
          "-10 where --workers leaves a core, CPU time has no quota and the system allows it; else "
          "0");
  AddOption(app, "drain-seconds", options.drain_seconds,
            "When draining begins, how long calls in progress may take to end")
      ->check(CLI::Range(int64_t{0}, int64_t{3600}));
  AddOption(app, "autosave-seconds", options.autosave_seconds,
            "Store every scene that changed so often, and all when the server drains; 0: never. "
            "Stored scenes come back when a server starts with the same --data-dir")
      ->check(CLI::Range(int64_t{0}, int64_t{86'400}));
  AddOption(app, "evict-after-seconds", options.evict_after_seconds,
            "Let go of the memory of scenes that nobody used for so long: their state waits in "
            "--data-dir, and the next call that needs one brings it back; 0: never")
      ->check(CLI::Range(int64_t{0}, int64_t{31'536'000}));
  AddOption(app, "autosave-keep", options.autosave_keep, "Newest states stored of each scene")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--accept-hdf5", options.accept_hdf5,
               "Read contact problems in HDF5 files too; for callers that are trusted")
      ->envname("TALUS_ACCEPT_HDF5");
  app.add_flag("--end-with-stdin", options.end_with_stdin,
               "Drain also when standard input ends, as a pipe does when the parent dies")
      ->envname("TALUS_END_WITH_STDIN");
}

void AddAccess(CLI::App& app, Options& options, std::string& metrics_listen) {
  const auto add = [&](std::string_view name, auto& value, const std::string& help) {
    return AddOption(app, name, value, help)->group("Access and monitoring");
  };
  app.add_flag("--insecure", options.insecure,
               "Allow listening beyond loopback and unix sockets without TLS and tokens (or client "
               "certificates)")
      ->envname("TALUS_INSECURE")
      ->group("Access and monitoring");
  add("tls-cert", options.tls.certificate,
      "PEM file with the server's certificate chain; TCP addresses then speak TLS");
  add("tls-key", options.tls.key, "PEM file with the private key of --tls-cert");
  add("tls-client-ca", options.tls.client_ca,
      "PEM file with authorities; callers must show a certificate signed by one of them");
  add("token-file", options.token_file,
      "File with a line `NAME SCOPE SHA256` a token; calls must then bring one");
  add("calls-per-second", options.limits.calls_per_second,
      "Calls one client may begin; 0: any number")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}));
  add("call-burst", options.limits.call_burst,
      "Calls one client may begin at once; 0: as many as in a second")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}));
  add("metrics-listen", metrics_listen,
      "HOST:PORT, or PORT on loopback, for /metrics, /healthz and /readyz by HTTP");
}

// The option as the log tells it.
std::string TellValue(const CLI::Option& option) {
  const bool flag = option.get_expected_max() == 0;
  if (option.count() == 0) return flag ? "false" : option.get_default_str();
  std::string told;
  for (const std::string& value : option.results()) {
    if (!told.empty()) told += ',';
    told += value;
  }
  return told;
}

// CLI11's own list is the table, so none can be forgotten.
void TellOptions(const CLI::App& app, Options& options) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_envname().empty()) continue;
    std::string name = option->get_lnames().front();
    std::replace(name.begin(), name.end(), '-', '_');
    options.in_force.emplace_back(std::move(name), TellValue(*option));
  }
}

// Of the one who asks, and not of a server: without variables.
const CLI::Option* AddHealthCheck(CLI::App& app, Options& options) {
  CLI::Option* check =
      app.add_option("--health-check", options.health_check,
                     "Ask the server at this address, or without one at the first of --listen, "
                     "whether it serves; exit 0 if so, else 1. By TLS where --tls-cert or --tls-ca "
                     "is given")
          ->expected(0, 1);
  app.add_option("--tls-ca", options.health_check_ca,
                 "With --health-check: PEM file of the authorities of the server's certificate")
      ->needs(check);
  return check;
}

struct LogWords {
  std::string level = "info";
  std::string format = "text";
};

const std::map<std::string, telemetry::LogLevel> kLogLevels = {
    {"debug", telemetry::LogLevel::kDebug},
    {"info", telemetry::LogLevel::kInfo},
    {"warning", telemetry::LogLevel::kWarning},
    {"error", telemetry::LogLevel::kError}};
const std::map<std::string, telemetry::LogFormat> kLogFormats = {
    {"text", telemetry::LogFormat::kText}, {"json", telemetry::LogFormat::kJson}};

void AddLogging(CLI::App& app, LogWords& words) {
  AddOption(app, "log-level", words.level, "debug, info, warning or error")
      ->check(CLI::IsMember(kLogLevels).description(""));
  AddOption(app, "log-format", words.format, "text or json, on standard error")
      ->check(CLI::IsMember(kLogFormats).description(""));
}

ParsedOptions Refuse(const std::string& message) {
  return {.options = {},
          .exit_now = true,
          .exit_code = kBadOptions,
          .message = "talus_server: " + message + "\nRun with --help for the options.\n"};
}

// Why `address` may not be listened on; empty when it may.
std::string FindExposure(const std::string& address, const Options& options) {
  const bool encrypted = !options.tls.certificate.empty();
  const bool authenticated = !options.token_file.empty() || !options.tls.client_ca.empty();
  if (encrypted && authenticated) return {};
  return "listening on " + address + " would let other machines in without " +
         (encrypted       ? "authentication"
          : authenticated ? "encryption"
                          : "encryption or authentication") +
         "; use a loopback address or a unix socket, give " +
         (encrypted ? "--token-file or --tls-client-ca"
                    : "--tls-cert and --tls-key with --token-file or --tls-client-ca") +
         ", or pass --insecure to accept that";
}

absl::Status CheckTls(const TlsFiles& tls) {
  if (tls.certificate.empty() != tls.key.empty()) {
    return absl::InvalidArgumentError("--tls-cert and --tls-key need each other");
  }
  if (tls.certificate.empty() && !tls.client_ca.empty()) {
    return absl::InvalidArgumentError("--tls-client-ca needs --tls-cert and --tls-key");
  }
  return absl::OkStatus();
}

absl::StatusOr<ListenAddress> ParseMetricsAddress(const std::string& text) {
  const bool only_port = text.find(':') == std::string::npos;
  absl::StatusOr<ListenAddress> address =
      ParseListenAddress(only_port ? "127.0.0.1:" + text : text);
  if (address.ok() && address->kind == ListenAddress::Kind::kUnix) {
    return absl::InvalidArgumentError("--metrics-listen " + text + " must be HOST:PORT or PORT");
  }
  return address;
}

// What single options cannot say about each other.
ParsedOptions Finish(Options options, const std::vector<std::string>& listen,
                     const std::string& metrics_listen) {
  if (absl::Status status = CheckTls(options.tls); !status.ok()) {
    return Refuse(std::string(status.message()));
  }
  if (absl::Status status = CheckCores("--call-cores", options.call_cores); !status.ok()) {
    return Refuse(std::string(status.message()));
  }
  if (options.step_nice != 0) {
    absl::Status status = CheckNiceValue("--step-nice", options.step_nice);
    if (!status.ok()) return Refuse(std::string(status.message()));
  }
  if (options.limits.call_burst > 0 && options.limits.calls_per_second == 0) {
    return Refuse("--call-burst needs --calls-per-second");
  }
  if (!metrics_listen.empty()) {
    absl::StatusOr<ListenAddress> address = ParseMetricsAddress(metrics_listen);
    if (!address.ok()) return Refuse(std::string(address.status().message()));
    options.metrics_listen = *std::move(address);
  }
  if (options.workers_per_scene == 0) options.workers_per_scene = options.workers;
  options.workers_per_scene = std::min(options.workers_per_scene, options.workers);
  if (options.autosave_seconds > 0 && options.data_dir.empty()) {
    return Refuse("--autosave-seconds needs a --data-dir to store scenes in");
  }
  if (options.evict_after_seconds > 0 && options.data_dir.empty()) {
    return Refuse("--evict-after-seconds needs a --data-dir for the scenes that are evicted");
  }
  for (const std::string& text : listen) {
    absl::StatusOr<ListenAddress> address = ParseListenAddress(text);
    if (!address.ok()) return Refuse(std::string(address.status().message()));
    if (!address->IsLocal() && !options.insecure) {
      const std::string why = FindExposure(text, options);
      if (!why.empty()) return Refuse(why);
    }
    options.listen.push_back(*std::move(address));
  }
  return {.options = std::move(options), .exit_now = false, .exit_code = 0, .message = {}};
}

// A health check without an address asks where the server listens.
ParsedOptions AskWhereItListens(ParsedOptions parsed) {
  const ListenAddress& first = parsed.options.listen.front();
  if (first.kind == ListenAddress::Kind::kTcp && first.port == 0) {
    return Refuse("--health-check needs an address, since the system chooses the port of " +
                  first.ToString());
  }
  parsed.options.health_check = first.FromThisMachine().ToString();
  return parsed;
}

}  // namespace

ParsedOptions ParseOptions(int argc, const char* const* argv) {
  Options options;
  options.workers = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 1024u));
  // Spinning uses up a quota, and then the server stands still.
  options.keep_awake_us = HasCpuQuota() ? 0 : kLockStepUs;
  std::vector<std::string> listen = {"127.0.0.1:50051"};
  CLI::App app("Steps rigid-body scenes with contact and serves them over gRPC.", "talus_server");
  app.set_version_flag("--version", std::string("talus_server ") + kVersion);
  app.footer(
      "Each option except --help, --version, --health-check and --tls-ca is also read from\n"
      "the environment, as in TALUS_DATA_DIR for --data-dir; the command line wins.");
  AddOption(app, "listen", listen,
            "Where to listen: HOST:PORT, [V6]:PORT or unix:/absolute/path; port 0 takes any free "
            "one. May be repeated")
      ->delimiter(',');
  std::string metrics_listen;
  AddMachine(app, options);
  AddAccess(app, options, metrics_listen);
  LogWords words;
  AddLogging(app, words);
  Mebibytes mebibytes(options.limits);
  AddLimits(app, options.limits, mebibytes);
  const CLI::Option* health_check = AddHealthCheck(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    if (error.get_exit_code() == 0) {
      app.exit(error, out, out);
      return {.options = {}, .exit_now = true, .exit_code = 0, .message = out.str()};
    }
    return Refuse(error.what());
  }
  mebibytes.Apply(options.limits);
  options.log_level = kLogLevels.at(words.level);
  options.log_format = kLogFormats.at(words.format);
  if (CLI::Option* nice = app.get_option("--step-nice"); nice->count() == 0) {
    options.step_nice = FindStepNice(options.workers);
    nice->default_str(std::to_string(options.step_nice));
  }
  TellOptions(app, options);
  ParsedOptions parsed = Finish(std::move(options), listen, metrics_listen);
  const bool no_address = health_check->count() > 0 && parsed.options.health_check.empty();
  return no_address && !parsed.exit_now ? AskWhereItListens(std::move(parsed)) : parsed;
}

}  // namespace talus::app
