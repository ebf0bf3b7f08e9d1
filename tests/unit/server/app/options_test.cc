#include "server/app/options.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "clients/cpp/client.h"
#include "clients/cpp/server_process.h"
#include "tests/unit/server/app/parsed_options.h"

namespace talus::app {
namespace {

std::string RefusalOf(const char* option, int value) {
  const std::string text = std::to_string(value);
  return Parse({option, text.c_str()}).message;
}

// Sets a variable while it lives.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Options, DefaultsServeThisMachineOnly) {
  const ParsedOptions parsed = Parse({});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  ASSERT_EQ(parsed.options.listen.size(), 1u);
  EXPECT_EQ(parsed.options.listen[0].ToString(), "127.0.0.1:50051");
  EXPECT_GE(parsed.options.workers, 1);
  EXPECT_EQ(parsed.options.workers_per_scene, parsed.options.workers);
  EXPECT_EQ(parsed.options.limits.message_bytes, int64_t{64} << 20);
  EXPECT_TRUE(parsed.options.data_dir.empty());
}

// The client knows no server's sources, and has these of its own.
TEST(Options, HaveTheLimitsThatTheClientStates) {
  EXPECT_EQ(RefusalOf("--workers", client::kMostWorkers), "");
  EXPECT_NE(RefusalOf("--workers", client::kMostWorkers + 1), "");
  EXPECT_EQ(RefusalOf("--workers-per-scene", client::kMostWorkers), "");
  EXPECT_NE(RefusalOf("--workers-per-scene", client::kMostWorkers + 1), "");
  EXPECT_EQ(RefusalOf("--max-message-mib", client::kMostMessageMib), "");
  EXPECT_NE(RefusalOf("--max-message-mib", client::kMostMessageMib + 1), "");
}

TEST(Options, ScenesAreAFolderThatNothingNeeds) {
  EXPECT_TRUE(Parse({}).options.scenes_dir.empty());
  EXPECT_EQ(Parse({"--scenes", "/etc/scenes"}).options.scenes_dir, "/etc/scenes");
  const Environment named("TALUS_SCENES", "/other/scenes");
  EXPECT_EQ(Parse({}).options.scenes_dir, "/other/scenes");
  EXPECT_EQ(Parse({"--scenes"}).exit_code, 2);
}

TEST(Options, AutosaveNeedsSomewhereToSave) {
  const ParsedOptions refused = Parse({"--autosave-seconds", "5"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.message.find("--data-dir"), std::string::npos) << refused.message;
  const ParsedOptions parsed =
      Parse({"--autosave-seconds", "5", "--autosave-keep", "3", "--data-dir", "/data",
             "--max-storage-mib", "7", "--max-recording-mib", "2"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  EXPECT_EQ(parsed.options.autosave_seconds, 5);
  EXPECT_EQ(parsed.options.autosave_keep, 3);
  EXPECT_EQ(parsed.options.limits.storage_bytes, int64_t{7} << 20);
  EXPECT_EQ(parsed.options.limits.recording_bytes, int64_t{2} << 20);
  EXPECT_EQ(Parse({"--autosave-keep", "0"}).exit_code, 2);
  EXPECT_EQ(Parse({"--max-storage-mib", "0"}).exit_code, 2);
}

TEST(Options, EvictionNeedsSomewhereToEvictTo) {
  const ParsedOptions refused = Parse({"--evict-after-seconds", "600"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.message.find("--data-dir"), std::string::npos) << refused.message;
  const ParsedOptions parsed = Parse({"--evict-after-seconds", "600", "--data-dir", "/data"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  EXPECT_EQ(parsed.options.evict_after_seconds, 600);
  EXPECT_EQ(Parse({"--evict-after-seconds", "-1", "--data-dir", "/data"}).exit_code, 2);
}

TEST(Options, ListenMayBeRepeated) {
  const ParsedOptions parsed =
      Parse({"--listen", "localhost:0", "--listen", "unix:/tmp/a.sock", "--listen=[::1]:7"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  ASSERT_EQ(parsed.options.listen.size(), 3u);
  EXPECT_EQ(parsed.options.listen[0].ToString(), "localhost:0");
  EXPECT_EQ(parsed.options.listen[1].ToString(), "unix:/tmp/a.sock");
  EXPECT_EQ(parsed.options.listen[2].ToString(), "[::1]:7");
}

TEST(Options, EveryOptionIsReadFromTheEnvironmentAndTheCommandLineWins) {
  const Environment listen("TALUS_LISTEN", "127.0.0.1:0,unix:/tmp/b.sock");
  const Environment data("TALUS_DATA_DIR", "/data");
  const Environment workers("TALUS_WORKERS", "7");
  const Environment per_scene("TALUS_WORKERS_PER_SCENE", "3");
  const Environment scenes("TALUS_MAX_SCENES", "5");
  const Environment level("TALUS_LOG_LEVEL", "debug");
  const Environment format("TALUS_LOG_FORMAT", "json");
  const Environment insecure("TALUS_INSECURE", "true");
  const ParsedOptions parsed = Parse({"--max-scenes", "6"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  EXPECT_EQ(parsed.options.listen.size(), 2u);
  EXPECT_EQ(parsed.options.data_dir, "/data");
  EXPECT_EQ(parsed.options.workers, 7);
  EXPECT_EQ(parsed.options.workers_per_scene, 3);
  EXPECT_EQ(parsed.options.limits.scenes, 6);
  EXPECT_EQ(parsed.options.log_level, telemetry::LogLevel::kDebug);
  EXPECT_EQ(parsed.options.log_format, telemetry::LogFormat::kJson);
  EXPECT_TRUE(parsed.options.insecure);
}

TEST(Options, EveryLimitHasItsOption) {
  const ParsedOptions parsed =
      Parse({"--max-message-mib=1", "--max-scenes=2", "--max-bodies=3", "--max-steps-per-call=4",
             "--mailbox-depth=5", "--max-watchers=6", "--max-snapshot-mib=7", "--max-snapshots=8",
             "--max-analyses=9", "--max-contacts=10", "--max-steps-per-second=11",
             "--max-memory-mib=12", "--pipeline-depth=13", "--max-lease-seconds=14",
             "--max-model-mib=15", "--max-connections=16"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  const Limits& limits = parsed.options.limits;
  EXPECT_EQ(limits.message_bytes, int64_t{1} << 20);
  EXPECT_EQ(limits.scenes, 2);
  EXPECT_EQ(limits.bodies_per_scene, 3);
  EXPECT_EQ(limits.steps_per_call, 4);
  EXPECT_EQ(limits.mailbox_depth, 5);
  EXPECT_EQ(limits.watchers_per_scene, 6);
  EXPECT_EQ(limits.snapshot_bytes, int64_t{7} << 20);
  EXPECT_EQ(limits.snapshots, 8);
  EXPECT_EQ(limits.analyses, 9);
  EXPECT_EQ(limits.contacts_per_scene, 10);
  EXPECT_EQ(limits.steps_per_second, 11);
  EXPECT_EQ(limits.memory_bytes, int64_t{12} << 20);
  EXPECT_EQ(limits.pipeline_depth, 13);
  EXPECT_EQ(limits.lease_seconds, 14);
  EXPECT_EQ(limits.model_bytes, int64_t{15} << 20);
  EXPECT_EQ(limits.connections, 16);
  for (const char* bad : {"--pipeline-depth=0", "--pipeline-depth=1025", "--max-lease-seconds=0",
                          "--max-lease-seconds=86401"}) {
    EXPECT_EQ(Parse({bad}).exit_code, 2) << bad;
  }
}

TEST(Options, OnlyWhatMayBeWithoutALimitTakesZero) {
  const ParsedOptions parsed = Parse({"--max-steps-per-second=0", "--max-memory-mib=0"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  EXPECT_EQ(parsed.options.limits.steps_per_second, 0);
  EXPECT_EQ(parsed.options.limits.memory_bytes, 0);
  for (const char* bad : {"--max-contacts=0", "--max-steps-per-second=-1", "--max-memory-mib=-1",
                          "--max-scenes=0", "--max-connections=0"}) {
    EXPECT_EQ(Parse({bad}).exit_code, 2) << bad;
  }
}

TEST(Options, ListeningBeyondThisMachineNeedsEncryptionAndAuthenticationOrInsecure) {
  for (const char* address : {"0.0.0.0:1", "[::]:1", "192.168.1.2:1", "example.org:1"}) {
    const ParsedOptions refused = Parse({"--listen", address});
    EXPECT_EQ(refused.exit_code, 2) << address;
    EXPECT_NE(refused.message.find("--insecure"), std::string::npos) << refused.message;
    EXPECT_NE(refused.message.find("--tls-cert"), std::string::npos) << refused.message;
    EXPECT_FALSE(Parse({"--listen", address, "--insecure"}).exit_now) << address;
    EXPECT_FALSE(
        Parse({"--listen", address, "--tls-cert", "c", "--tls-key", "k", "--token-file", "t"})
            .exit_now);
    EXPECT_FALSE(
        Parse({"--listen", address, "--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "a"})
            .exit_now);
  }
  EXPECT_FALSE(Parse({"--listen", "127.3.2.1:1"}).exit_now);
  const ParsedOptions nobody_asked =
      Parse({"--listen", "0.0.0.0:1", "--tls-cert", "c", "--tls-key", "k"});
  EXPECT_NE(nobody_asked.message.find("without authentication"), std::string::npos);
  const ParsedOptions readable = Parse({"--listen", "0.0.0.0:1", "--token-file", "t"});
  EXPECT_NE(readable.message.find("without encryption;"), std::string::npos) << readable.message;
}

TEST(Options, TlsNeedsItsFilesTogether) {
  EXPECT_EQ(Parse({"--tls-cert", "c"}).exit_code, 2);
  EXPECT_EQ(Parse({"--tls-key", "k"}).exit_code, 2);
  EXPECT_EQ(Parse({"--tls-client-ca", "a"}).exit_code, 2);
  const Options options = Parse({"--tls-cert", "c", "--tls-key", "k"}).options;
  EXPECT_EQ(options.tls.certificate, "c");
  EXPECT_EQ(options.tls.key, "k");
}

TEST(Options, MetricsAreOffUnlessAskedForAndOnLoopbackUnlessTold) {
  EXPECT_FALSE(Parse({}).options.metrics_listen.has_value());
  EXPECT_EQ(Parse({"--metrics-listen", "9464"}).options.metrics_listen->ToString(),
            "127.0.0.1:9464");
  EXPECT_EQ(Parse({"--metrics-listen", "0.0.0.0:9464"}).options.metrics_listen->ToString(),
            "0.0.0.0:9464");
  EXPECT_EQ(Parse({"--metrics-listen", "unix:/run/x"}).exit_code, 2);
  EXPECT_EQ(Parse({"--metrics-listen", "many"}).exit_code, 2);
}

TEST(Options, RatesAreOffUnlessAskedFor) {
  EXPECT_EQ(Parse({}).options.limits.scenes_per_client, 0);
  EXPECT_EQ(Parse({"--max-scenes-per-client", "3"}).options.limits.scenes_per_client, 3);
  EXPECT_EQ(Parse({"--max-scenes-per-client", "-1"}).exit_code, 2);
  EXPECT_EQ(Parse({}).options.limits.calls_per_second, 0);
  EXPECT_EQ(Parse({"--calls-per-second", "50"}).options.limits.calls_per_second, 50);
  EXPECT_EQ(Parse({"--calls-per-second", "-1"}).exit_code, 2);
  EXPECT_EQ(Parse({"--call-burst", "5"}).exit_code, 2) << "a burst of no rate";
}

TEST(Options, BadOptionsExitWithTwoAndAMessage) {
  for (const std::initializer_list<const char*> arguments :
       {std::initializer_list<const char*>{"--nonsense"},
        {"--workers", "0"},
        {"--workers", "many"},
        {"--max-message-mib", "2048"},
        {"--mailbox-depth", "-1"},
        {"--log-level", "loud"},
        {"--log-format", "xml"},
        {"--listen", "50051"},
        {"--listen", "host:port"},
        {"--listen", "host:65536"},
        {"--listen", ":1"},
        {"--listen", "::1:50051"},
        {"--listen", "unix:relative.sock"},
        {"positional"}}) {
    const ParsedOptions parsed = Parse(arguments);
    EXPECT_TRUE(parsed.exit_now) << *arguments.begin();
    EXPECT_EQ(parsed.exit_code, 2) << *arguments.begin();
    EXPECT_FALSE(parsed.message.empty());
  }
}

TEST(Options, AuthoritiesAreOfAHealthCheckOnly) {
  const ParsedOptions parsed = Parse({"--health-check", "127.0.0.1:1", "--tls-ca", "/etc/ca.pem"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  EXPECT_EQ(parsed.options.health_check, "127.0.0.1:1");
  EXPECT_EQ(parsed.options.health_check_ca, "/etc/ca.pem");
  const ParsedOptions refused = Parse({"--tls-ca", "/etc/ca.pem"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.message.find("--health-check"), std::string::npos) << refused.message;
}

TEST(Options, AHealthCheckWithoutAnAddressAsksWhereTheServerListensFirst) {
  EXPECT_EQ(Parse({}).options.health_check, "");
  const ParsedOptions parsed = Parse({"--health-check", "--tls-ca", "/etc/ca.pem"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  EXPECT_EQ(parsed.options.health_check, "127.0.0.1:50051");
  EXPECT_EQ(parsed.options.health_check_ca, "/etc/ca.pem");
  const Environment insecure("TALUS_INSECURE", "true");
  const std::initializer_list<std::pair<const char*, const char*>> cases = {
      {"127.0.0.1:7", "127.0.0.1:7"},
      {"localhost:7", "localhost:7"},
      {"[::1]:7", "[::1]:7"},
      {"192.168.1.2:7", "192.168.1.2:7"},
      {"unix:/run/a.sock,0.0.0.0:7", "unix:/run/a.sock"},
      {"0.0.0.0:7,unix:/run/a.sock", "127.0.0.1:7"},
      {"[::]:7", "127.0.0.1:7"}};
  for (const auto& [listen, asked] : cases) {
    const Environment variable("TALUS_LISTEN", listen);
    EXPECT_EQ(Parse({"--health-check"}).options.health_check, asked) << listen;
    EXPECT_EQ(Parse({"--health-check", "[::1]:9"}).options.health_check, "[::1]:9") << listen;
  }
}

TEST(Options, AHealthCheckNeedsAnAddressWhereTheSystemChoosesThePort) {
  const ParsedOptions refused = Parse({"--listen", "127.0.0.1:0", "--health-check"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.message.find("--health-check"), std::string::npos) << refused.message;
  EXPECT_NE(refused.message.find("127.0.0.1:0"), std::string::npos) << refused.message;
  EXPECT_FALSE(Parse({"--listen", "127.0.0.1:0", "--health-check=127.0.0.1:9"}).exit_now);
}

TEST(Options, Hdf5IsReadOnlyWhenAskedFor) {
  EXPECT_FALSE(Parse({}).options.accept_hdf5);
  EXPECT_TRUE(Parse({"--accept-hdf5"}).options.accept_hdf5);
}

TEST(Options, HelpNamesEveryOptionAndItsVariable) {
  const ParsedOptions parsed = Parse({"--help"});
  EXPECT_TRUE(parsed.exit_now);
  EXPECT_EQ(parsed.exit_code, 0);
  for (const char* word :
       {"--listen", "TALUS_LISTEN", "--data-dir", "--workers-per-scene", "--max-snapshot-mib",
        "--log-format", "--insecure", "--health-check", "--tls-ca", "--end-with-stdin",
        "--accept-hdf5", "TALUS_ACCEPT_HDF5", "--tls-cert", "TALUS_TLS_KEY", "--tls-client-ca",
        "--token-file", "--calls-per-second", "--call-burst", "--metrics-listen"}) {
    EXPECT_NE(parsed.message.find(word), std::string::npos) << word;
  }
}

TEST(Options, EveryOptionWithAVariableIsToldInTheLog) {
  const std::string help = Parse({"--help"}).message;
  const ParsedOptions parsed = Parse({});
  static const std::string kMark = "Env:TALUS_";
  size_t count = 0;
  for (size_t at = help.find(kMark); at != std::string::npos; at = help.find(kMark, at + 1)) {
    const size_t begin = at + kMark.size();
    std::string name = help.substr(begin, help.find_first_of(") \n", begin) - begin);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_NE(Told(parsed, name), "no " + name);
    ++count;
  }
  EXPECT_GT(count, 20u);
  EXPECT_EQ(parsed.options.in_force.size(), count);
}

TEST(Options, TheLogTellsWhatIsInForce) {
  const Environment variable("TALUS_MAX_STORAGE_MIB", "9");
  const ParsedOptions parsed =
      Parse({"--listen", "[::1]:7,unix:/tmp/a.sock", "--log-level", "debug", "--accept-hdf5",
             "--autosave-keep", "3", "--token-file", "/etc/tokens"});
  ASSERT_FALSE(parsed.exit_now) << parsed.message;
  EXPECT_EQ(Told(parsed, "listen"), "[::1]:7,unix:/tmp/a.sock");
  EXPECT_EQ(Told(parsed, "log_level"), "debug");
  EXPECT_EQ(Told(parsed, "log_format"), "text") << "by default";
  EXPECT_EQ(Told(parsed, "accept_hdf5"), "true");
  EXPECT_EQ(Told(parsed, "insecure"), "false") << "by default";
  EXPECT_EQ(Told(parsed, "autosave_keep"), "3");
  EXPECT_EQ(Told(parsed, "max_storage_mib"), "9") << "from the environment";
  EXPECT_EQ(Told(parsed, "max_scenes"), std::to_string(parsed.options.limits.scenes));
  EXPECT_EQ(Told(parsed, "token_file"), "/etc/tokens");
  EXPECT_EQ(Told(parsed, "health_check"), "no health_check");
}

TEST(Options, VersionNamesTheProgram) {
  const ParsedOptions parsed = Parse({"--version"});
  EXPECT_EQ(parsed.exit_code, 0);
  EXPECT_EQ(parsed.message.rfind("talus_server ", 0), 0u) << parsed.message;
}

}  // namespace
}  // namespace talus::app
