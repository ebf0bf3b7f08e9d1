#include "server/runtime/nice_value.h"

#include <sys/resource.h>

#include <thread>

#include "server/session/error.h"

namespace talus {

// On Linux 0 names the calling thread, not its process.
int FindNiceValue() { return ::getpriority(PRIO_PROCESS, 0); }

bool AskForNiceValue(int value) { return ::setpriority(PRIO_PROCESS, 0, value) == 0; }

absl::Status CheckNiceValue(const std::string& path, int value) {
  bool allowed = false;
  // A thread that has given way may not be allowed to come back.
  std::thread([&] { allowed = AskForNiceValue(value); }).join();
  if (allowed) return absl::OkStatus();
  return InvalidFieldError(path, std::to_string(value),
                           "must be " + std::to_string(FindNiceValue()) +
                               " or more, or the process must have CAP_SYS_NICE or an RLIMIT_NICE "
                               "that allows less");
}

}  // namespace talus
