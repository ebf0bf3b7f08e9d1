#include "tests/bench/service/stolen_time.h"

#include <fstream>
#include <string>

namespace talus::bench {

ProcessorTime ReadProcessorTime() {
  std::ifstream stat("/proc/stat");
  return ReadProcessorTime(stat);
}

// The first line: user, nice, system, idle, iowait, irq, softirq and steal; what guests had is in
// the first two already.
ProcessorTime ReadProcessorTime(std::istream& stat) {
  constexpr int kColumns = 8;
  std::string name;
  if (!(stat >> name) || name != "cpu") return {};
  ProcessorTime time;
  for (int k = 0; k < kColumns; ++k) {
    double column = 0.0;
    if (!(stat >> column)) return {};
    time.all += column;
    time.stolen = column;  // the last one
  }
  return time;
}

double FindStolenShare(const ProcessorTime& begun, const ProcessorTime& ended) {
  const double all = ended.all - begun.all;
  return all > 0.0 ? (ended.stolen - begun.stolen) / all : 0.0;
}

}  // namespace talus::bench
