// How often this program has asked for memory: for tests that a steady step allocates nothing. The
// counting operator new is in tests/unit/solver/allocation_counter.cc, so only the solver's unit
// tests can use it.
#pragma once

#include <cstddef>

namespace talus::testing {

size_t AllocationCount();

}  // namespace talus::testing
