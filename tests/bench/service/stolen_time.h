// Processor time that the hypervisor gave to somebody else while this machine wanted it: what a
// tick that comes meanwhile is missed by, whoever serves it.
#pragma once

#include <istream>

namespace talus::bench {

// Of all cores since they were started, in the kernel's ticks.
struct ProcessorTime {
  double stolen = 0.0;
  double all = 0.0;  // idle, too
};

// From the form of /proc/stat; zeros where that is not what comes.
ProcessorTime ReadProcessorTime(std::istream& stat);

class StolenTime {
 public:
  // Begins to measure.
  StolenTime();

  // Of the time that all cores together had since then, in [0, 1]. 0 where nothing was stolen,
  // where the kernel does not say, and before its clock, of a hundredth of a second, has ticked.
  double FindShare() const;

 private:
  const ProcessorTime begun_;
};

}  // namespace talus::bench
