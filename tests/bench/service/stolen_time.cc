#include "tests/bench/service/stolen_time.h"

#include <fstream>
#include <string>

namespace talus::bench {

StolenTime::StolenTime() : begun_(Read()) {}

double StolenTime::FindShare() const {
  const Sum now = Read();
  const double all = now.all - begun_.all;
  return all > 0.0 ? (now.stolen - begun_.stolen) / all : 0.0;
}

// The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq and steal; what
// guests had is in the first two already.
StolenTime::Sum StolenTime::Read() {
  constexpr int kColumns = 8;
  std::ifstream file("/proc/stat");
  std::string name;
  file >> name;
  Sum sum;
  double column = 0.0;
  for (int k = 0; k < kColumns && file >> column; ++k) {
    sum.all += column;
    if (k == kColumns - 1) sum.stolen = column;
  }
  return sum;
}

}  // namespace talus::bench
