#include "tests/bench/memory_use.h"

#include <malloc.h>

#include "tests/bench/bench_world.h"

namespace talus::bench {
namespace {

double CountBytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

// Of the world that `restore` makes, after two steps.
template <typename Restore>
double CountWorldBytes(const Restore& restore, StepReport& report) {
  WorkerArena workers(1);
  const double before = CountBytesInUse();
  World world = restore();
  for (int step = 0; step < 2; ++step) report = StepWorld(world, workers);
  return CountBytesInUse() - before;
}

}  // namespace

void MeasureMemory(std::string_view snapshot, ContactLaw law, BenchRow& row) {
  const SolverSettings settings = {law, SolverKind::kLawDefault, 1e-3, 1000, true};
  StepReport apart;
  StepReport together;
  const double apart_bytes = CountWorldBytes([&] { return RestoreApart(snapshot); }, apart);
  const double together_bytes =
      CountWorldBytes([&] { return RestoreWith(snapshot, settings); }, together);
  row.bytes_per_body = apart_bytes / static_cast<double>(apart.body_count);
  if (together.contact_count > 0) {
    row.bytes_per_contact =
        (together_bytes - apart_bytes) / static_cast<double>(together.contact_count);
  }
}

}  // namespace talus::bench
