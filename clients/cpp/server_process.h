// A talus_server of one's own: started, waited for until it listens, and ended. For tests, tools
// and self-contained runs. Promises that no process and no zombie is left behind: its end
// terminates the server, and the server dies with the thread that started it, even by kill -9. It
// does not know what the server is asked afterwards.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "clients/cpp/result.h"

namespace talus::client {

// The largest --workers of a server.
inline constexpr int kMostWorkers = 1024;

struct ServerProcessOptions {
  // Path of talus_server. Empty: the environment's TALUS_SERVER, else beside this executable, else
  // on the PATH.
  std::string binary{};
  // Given to the server as they are. Without a `--listen` among them it listens on a unix socket in
  // a new directory, in TMPDIR unless its path is too long for a socket's or it cannot be written
  // to, else in /tmp.
  std::vector<std::string> arguments{};
  // Whether the environment's variables TALUS_* set options of the server, too. They are most often
  // meant for another one, which many share.
  bool inherits_options = false;
  // File that takes the server's log; empty: this process's standard error.
  std::string log_path{};
  // How long it may take until it listens.
  std::chrono::milliseconds start_timeout{20000};
  // How long it may take to drain before it is killed.
  std::chrono::milliseconds drain_timeout{20000};
};

// Path of talus_server: `given` when not empty, else as ServerProcessOptions::binary says.
std::string FindServerBinary(const std::string& given = "");

class ServerProcess {
 public:
  static Result<ServerProcess> Start(const ServerProcessOptions& options = {});

  // The first address it listens on, as Client takes it.
  const std::string& address() const { return address_; }
  pid_t pid() const { return pid_; }
  // True while the process runs.
  bool Running();

  // SIGTERM, then waits; SIGKILL after the drain timeout. The wait status as waitpid gives it; the
  // first call decides.
  int Terminate();
  // SIGKILL, then waits.
  int Kill();
  // Waits at most so long for the process to end by itself; the wait status when it did.
  std::optional<int> Wait(std::chrono::milliseconds timeout);

  ServerProcess(ServerProcess&& other) noexcept;
  ServerProcess& operator=(ServerProcess&& other) noexcept;
  ~ServerProcess();

 private:
  ServerProcess() = default;
  Result<Done> ReadAddress(std::chrono::milliseconds timeout);

  pid_t pid_ = -1;
  int output_ = -1;  // the server's standard output
  int wait_status_ = 0;
  std::string address_;
  std::string directory_;  // holds the socket; removed at the end; empty when there is none
  std::chrono::milliseconds drain_timeout_{0};
};

}  // namespace talus::client
