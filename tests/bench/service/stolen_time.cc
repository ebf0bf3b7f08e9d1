#include "tests/bench/service/stolen_time.h"

#include <fstream>
#include <string>

namespace talus::bench {
namespace {

ProcessorTime ReadNow() {
  std::ifstream stat("/proc/stat");
  return ReadProcessorTime(stat);
}

}  // namespace

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

StolenTime::StolenTime() : begun_(ReadNow()) {}

double StolenTime::FindShare() const {
  const ProcessorTime now = ReadNow();
  const double all = now.all - begun_.all;
  return all > 0.0 ? (now.stolen - begun_.stolen) / all : 0.0;
}

}  // namespace talus::bench
