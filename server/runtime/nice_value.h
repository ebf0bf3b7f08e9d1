// How much of a core a thread gets beside others that want it.
//
// The kernel's nice value, -20 to 19: of two threads that share a core the one whose value is less
// by one gets about a quarter more (man 7 sched). To go below what a process has needs a right,
// CAP_SYS_NICE or RLIMIT_NICE.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace talus {

// Of the calling thread.
int FindNiceValue();

// For the calling thread and all that it starts from now on. False: the kernel refused, and nothing
// has changed.
bool AskForNiceValue(int value);

// INVALID_ARGUMENT naming `path`, the value and what it takes: one that this process may not have.
// Changes nothing.
absl::Status CheckNiceValue(const std::string& path, int value);

}  // namespace talus
