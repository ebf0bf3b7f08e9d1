#include "server/telemetry/process_usage.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace talus::telemetry {
namespace {

int64_t CountEntries(const char* directory) {
  std::error_code error;
  int64_t count = 0;
  for (auto entry = std::filesystem::directory_iterator(directory, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    ++count;
  }
  return count;
}

// Sanitizers bring an allocator of their own, of which this one knows nothing.
int64_t ReadHeapBytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;
#else
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<int64_t>(heap.uordblks + heap.hblkhd);
#endif
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

int64_t ReadResidentBytes() {
  int64_t total_pages = 0;
  int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> total_pages >> resident_pages;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

int CountThreads(std::string_view name) {
  std::error_code error;
  int count = 0;
  for (auto thread = std::filesystem::directory_iterator("/proc/self/task", error);
       !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
    std::string found;
    std::getline(std::ifstream(thread->path() / "comm"), found);
    if (found == name) ++count;
  }
  return count;
}

ProcessUsage ReadProcessUsage() {
  ProcessUsage usage;
  usage.resident_bytes = ReadResidentBytes();
  usage.heap_bytes = ReadHeapBytes();
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0)
    usage.cpu_s = Seconds(used.ru_utime) + Seconds(used.ru_stime);
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    usage.most_descriptors = static_cast<int64_t>(files.rlim_cur);
  }
  usage.open_descriptors = CountEntries("/proc/self/fd");
  usage.threads = CountEntries("/proc/self/task");
  return usage;
}

}  // namespace talus::telemetry
