// What a world keeps, by body and by contact, in bytes the allocator has handed out.
#pragma once

#include <string_view>

#include "solver/scene/solver_settings.h"
#include "tests/bench/bench_row.h"

namespace talus::bench {

// Fills in bytes_per_body and bytes_per_contact of the state, from the C library's count of bytes
// in use (resident size would also count what earlier rows have left unused).
//
// A body's share is what the same bodies take far apart, restored and stepped twice: columns,
// shapes, names and scratch. A contact's is what the state itself takes beyond that, over its
// contacts, after two steps at 10⁻³. On one worker: per-worker scratch is no part of it.
void MeasureMemory(std::string_view snapshot, ContactLaw law, BenchRow& row);

}  // namespace talus::bench
