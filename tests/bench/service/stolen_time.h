// Processor time that the hypervisor gave to somebody else while this machine wanted it: what a
// tick that comes meanwhile is missed by, whoever serves it.
#pragma once

#include <istream>

namespace talus::bench {

// Of all cores since they were started, in the kernel's ticks of a hundredth of a second.
struct ProcessorTime {
  double stolen = 0.0;
  double all = 0.0;  // idle, too
};

// Now; zeros where the kernel does not say.
ProcessorTime ReadProcessorTime();
// From the form of /proc/stat; zeros where that is not what comes.
ProcessorTime ReadProcessorTime(std::istream& stat);

// What was stolen of the time between the two, in [0, 1]; 0 where none has passed.
double FindStolenShare(const ProcessorTime& begun, const ProcessorTime& ended);

}  // namespace talus::bench
