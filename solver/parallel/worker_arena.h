// The threads a step may use. One file hides which library runs them (oneTBB; std::thread in the
// ThreadSanitizer build, because the packaged TBB is not instrumented).
//
// Work is cut into chunks whose boundaries depend only on the size of the problem, never on the
// number of workers, and every chunk writes its own slots: results are the same bits for any worker
// count. Reductions go through ordered_reduce.h.
#pragma once

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"

namespace talus {

class WorkerArena {
 public:
  // `worker_count` >= 1 threads including the caller.
  explicit WorkerArena(int worker_count);
  ~WorkerArena();
  WorkerArena(const WorkerArena&) = delete;
  WorkerArena& operator=(const WorkerArena&) = delete;

  int worker_count() const { return worker_count_; }

  // Calls body(chunk) once for each chunk in [0, chunk_count), in any order and on any worker, and
  // returns when all are done. The calls of one chunk set must not depend on each other. Not
  // reentrant from within a chunk.
  void RunChunks(size_t chunk_count, absl::FunctionRef<void(size_t)> body);

  // Runs `job` inside the arena, so that the phases within start without waking it each time.
  void Execute(absl::FunctionRef<void()> job);

 private:
  struct Impl;
  int worker_count_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace talus
