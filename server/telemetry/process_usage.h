// What this process uses of the machine, as the kernel counts it.
#pragma once

#include <cstdint>
#include <string_view>

namespace talus::telemetry {

struct ProcessUsage {
  int64_t resident_bytes = 0;
  int64_t heap_bytes = 0;  // handed out by the allocator, not given back; 0: it does not tell
  double cpu_s = 0.0;      // user and system
  int64_t open_descriptors = 0;
  int64_t most_descriptors = 0;  // it may have open
  int64_t threads = 0;
};

// Zero where the kernel does not say.
ProcessUsage ReadProcessUsage();
// Of it the resident bytes alone, which cost one small read.
int64_t ReadResidentBytes();
// Threads of this name, of which the kernel keeps the first 15 bytes.
int CountThreads(std::string_view name);

}  // namespace talus::telemetry
