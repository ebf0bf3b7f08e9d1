// One run of the real talusctl: started with arguments, waited for or killed, its output at hand.
// For system tests; it knows nothing of what the commands do.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace talus::testing {

struct TalusctlResult {
  int exit_code = -1;  // minus the signal when one ended it
  std::string out;
  std::string err;
};

class TalusctlProcess {
 public:
  // `environment` are NAME=VALUE pairs on top of the test's own.
  explicit TalusctlProcess(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment = {});
  ~TalusctlProcess();
  TalusctlProcess(const TalusctlProcess&) = delete;
  TalusctlProcess& operator=(const TalusctlProcess&) = delete;

  void Signal(int signal);
  bool Running();
  // Kills it when it takes longer.
  TalusctlResult Wait(std::chrono::seconds timeout = std::chrono::seconds{120});

 private:
  pid_t pid_ = -1;
  int status_ = 0;
  std::string folder_;  // takes the output
};

// Runs to the end.
TalusctlResult Talusctl(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& environment = {});

}  // namespace talus::testing
