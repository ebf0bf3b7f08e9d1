// How soon a thread of this process gets a core when it wakes up.
//
// The fair scheduler of Linux 6.12 and later lets who wakes up take the core from somebody else at
// once where his time slice is the shorter one; where all have the same (1.4 ms on two cores) he
// may wait for the end of the other's. What a controller waits for takes less than a slice of any
// length; who computes for long asks for long ones, so that he is the one who steps aside.
#pragma once

#include <chrono>

namespace talus {

// Of the calling thread; 0 where the kernel keeps no slices of threads.
std::chrono::nanoseconds FindTimeSlice();

// Asks the kernel for slices of that length, 0.1 to 100 ms, 0 for what it gives everybody, for this
// thread and all that it starts from now on. Needs no privilege, and changes nothing where the
// thread's policy is not that of most programs. Returns what is in force then, as FindTimeSlice
// does; 0 where the kernel refuses, too.
std::chrono::nanoseconds AskForTimeSlices(std::chrono::microseconds length);

}  // namespace talus
