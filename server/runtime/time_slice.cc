#include "server/runtime/time_slice.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace talus {
namespace {

// As the kernel has it (SCHED_ATTR_SIZE_VER0). The C library of Debian 12 has neither this nor the
// calls, and the kernel's header cannot stand beside its <sched.h>.
struct Attributes {
  uint32_t size = sizeof(Attributes);
  uint32_t policy = 0;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t runtime_ns = 0;
  uint64_t deadline_ns = 0;
  uint64_t period_ns = 0;
};
static_assert(sizeof(Attributes) == 48);

bool Read(Attributes& attributes) {
  return ::syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0U) == 0;
}

}  // namespace

std::chrono::nanoseconds FindTimeSlice() {
  Attributes attributes;
  return std::chrono::nanoseconds(Read(attributes) ? attributes.runtime_ns : 0);
}

std::chrono::nanoseconds AskForTimeSlices(std::chrono::microseconds length) {
  Attributes attributes;
  if (!Read(attributes)) return {};
  if (attributes.policy == SCHED_OTHER || attributes.policy == SCHED_BATCH) {
    attributes.runtime_ns = static_cast<uint64_t>(std::chrono::nanoseconds(length).count());
    if (::syscall(SYS_sched_setattr, 0, &attributes, 0U) != 0) return {};
  }
  return FindTimeSlice();
}

}  // namespace talus
