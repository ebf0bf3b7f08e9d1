#include "server/runtime/chosen_cores.h"

#include <sched.h>

#include <algorithm>
#include <string>

#include "absl/strings/str_join.h"
#include "server/session/error.h"

namespace talus {
namespace {

// False: the kernel refused, and nothing has changed.
bool RunOn(const Cores& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(static_cast<size_t>(core), &set);
  return ::sched_setaffinity(0, sizeof(set), &set) == 0;
}

}  // namespace

Cores FindUsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  Cores usable;
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return usable;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<size_t>(core), &set)) usable.push_back(core);
  }
  return usable;
}

absl::Status CheckCores(const std::string& path, const Cores& cores) {
  const Cores usable = FindUsableCores();
  for (const int core : cores) {
    if (std::ranges::binary_search(usable, core)) continue;
    return InvalidFieldError(
        path, std::to_string(core),
        "must be one of the cores that may be used here: " + absl::StrJoin(usable, ", "));
  }
  return absl::OkStatus();
}

ChosenCores::ChosenCores(const Cores& cores) {
  if (cores.empty()) return;
  const Cores usable = FindUsableCores();
  if (RunOn(cores)) before_ = usable;
}

ChosenCores::~ChosenCores() {
  if (!before_.empty()) RunOn(before_);
}

}  // namespace talus
