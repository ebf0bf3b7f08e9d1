// The rows of bare sweeps: what one sweep costs a contact, without search, assembly, residuals and
// momentum. A cubic lattice of equal spheres on a floor that shrinks, turning at random, so that
// every contact is pressed.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/scene/solver_settings.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {

// What a sweep computes in and what its blocks hold. With floats as long solves sweep, and as they
// measure what that leaves.
enum class SweepPrecision : uint8_t { kDoubles, kDoublesOfFloats, kFloats };

struct BareSweepsOptions {
  int64_t spheres = 0;  // 2.9 contacts each
  ContactLaw law = ContactLaw::kNcp;
  int repeats = 1;
  SweepPrecision precision = SweepPrecision::kDoubles;
};

// A row for one thread and a row for two. `row` is what both begin as. Ends the program when the
// impulses of the two differ by a bit.
std::vector<BenchRow> MeasureBareSweeps(const BareSweepsOptions& options, const BenchRow& row);

}  // namespace talus::bench
