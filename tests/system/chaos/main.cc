// Proof that nothing one client does harms another: see chaos_options.cc for what it is told.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "clients/cpp/server_process.h"
#include "tests/system/chaos/chaos_options.h"
#include "tests/system/chaos/chaos_run.h"

namespace talus::chaos {
namespace {

constexpr int kUsageError = 2;

client::Result<client::ServerProcess> StartServer(const std::string& folder) {
  client::ServerProcessOptions options;
  options.arguments = {
      "--listen",        "127.0.0.1:0", "--data-dir",  folder,  "--autosave-seconds",    "5",
      "--max-snapshots", "4096",        "--log-level", "error", "--evict-after-seconds", "1"};
  // Under a sanitizer everything takes longer, the look for leaks at the end most of all.
  options.start_timeout = std::chrono::milliseconds{60000};
  options.drain_timeout = std::chrono::milliseconds{120000};
  return client::ServerProcess::Start(options);
}

bool RunAgainst(const ChaosOptions& options, const std::string& address) {
  ChaosRun run(options, address);
  run.Disturb();
  run.Check();
  return run.Report();
}

int Run(const ChaosOptions& options) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("chaos: --seconds %g --clients %d --scenes %d --seed %llu\n", options.seconds,
              options.clients, options.scenes, static_cast<unsigned long long>(options.seed));
  if (!options.address.empty()) return RunAgainst(options, options.address) ? 0 : 1;
  std::string folder = (std::filesystem::temp_directory_path() / "talus-chaos-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    std::fprintf(stderr, "chaos: cannot make %s\n", folder.c_str());
    return 1;
  }
  bool whole = false;
  {
    auto server = StartServer(folder);
    if (!server) {
      std::fprintf(stderr, "chaos: %s\n", server.error().ToString().c_str());
    } else {
      whole = RunAgainst(options, server->address());
      const int status = server->Terminate();
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        std::fprintf(stderr, "chaos: HARM: the server ended with wait status %d\n", status);
        whole = false;
      }
    }
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return whole ? 0 : 1;
}

}  // namespace
}  // namespace talus::chaos

int main(int argc, char** argv) {
  const auto options = talus::chaos::ParseChaosOptions(argc, argv);
  if (!options.has_value()) return talus::chaos::kUsageError;
  return options->help ? 0 : talus::chaos::Run(*options);
}
