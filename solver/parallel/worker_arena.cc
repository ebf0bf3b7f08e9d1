#include "solver/parallel/worker_arena.h"

#include <algorithm>

#include "solver/base/check.h"

#ifdef TALUS_ARENA_STD_THREAD

#include <atomic>
#include <thread>
#include <vector>

namespace talus {

// The ThreadSanitizer build's arena: plain threads for each phase, every hand-over visible to the
// tool.
struct WorkerArena::Impl {};

WorkerArena::WorkerArena(int worker_count) : worker_count_(worker_count) {
  TALUS_CHECK(worker_count >= 1);
}
WorkerArena::~WorkerArena() = default;

void WorkerArena::RunChunks(size_t chunk_count, absl::FunctionRef<void(size_t)> body) {
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t chunk = next.fetch_add(1); chunk < chunk_count; chunk = next.fetch_add(1)) {
      body(chunk);
    }
  };
  std::vector<std::thread> helpers;
  for (int worker = 1; worker < worker_count_; ++worker) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

void WorkerArena::Execute(absl::FunctionRef<void()> job) { job(); }

}  // namespace talus

#else

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace talus {

struct WorkerArena::Impl {
  // TBB complains about an arena with more threads than the process may have: its cores, unless a
  // global_control (of a test) raises that.
  explicit Impl(int worker_count) : arena(std::min(worker_count, Allowed())) {}
  static int Allowed() {
    using oneapi::tbb::global_control;
    return static_cast<int>(global_control::active_value(global_control::max_allowed_parallelism));
  }
  oneapi::tbb::task_arena arena;
};

WorkerArena::WorkerArena(int worker_count) : worker_count_(worker_count) {
  TALUS_CHECK(worker_count >= 1);
  if (worker_count > 1) impl_ = std::make_unique<Impl>(worker_count);
}
WorkerArena::~WorkerArena() = default;

void WorkerArena::RunChunks(size_t chunk_count, absl::FunctionRef<void(size_t)> body) {
  if (!impl_) {
    for (size_t chunk = 0; chunk < chunk_count; ++chunk) body(chunk);
    return;
  }
  impl_->arena.execute([&] {
    oneapi::tbb::parallel_for(
        size_t{0}, chunk_count, [&](size_t chunk) { body(chunk); },
        oneapi::tbb::static_partitioner());
  });
}

void WorkerArena::Execute(absl::FunctionRef<void()> job) {
  if (!impl_) {
    job();
    return;
  }
  impl_->arena.execute(job);
}

}  // namespace talus

#endif
