#include "solver/parallel/worker_arena.h"

#include <algorithm>

#include "solver/base/check.h"
#include "solver/parallel/worker_crew.h"

#ifdef TALUS_ARENA_STD_THREAD

#include <thread>
#include <vector>

namespace talus {

// The ThreadSanitizer build's helpers: plain threads for each job, every hand-over visible to the
// tool. As below, none comes before the first phase.
struct WorkerArena::Impl {
  explicit Impl(int worker_count) : crew(worker_count), size(static_cast<size_t>(worker_count)) {}

  void Summon() {
    for (size_t member = helpers.size() + 1; member < size; ++member) {
      helpers.emplace_back([this, member] { crew.Help(member); });
    }
  }
  void Run(absl::FunctionRef<void()> job) {
    job();
    crew.Dismiss();
    for (std::thread& helper : helpers) helper.join();
    helpers.clear();
  }

  std::vector<std::thread> helpers;
  WorkerCrew crew;
  size_t size;
};

#else

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace talus {

// Helpers are tasks of a oneTBB arena, which shares its threads with all others of the process.
// They are summoned when a job has its first phase: jobs of small scenes have none.
struct WorkerArena::Impl {
  // TBB complains about an arena with more threads than the process may have: its cores, unless a
  // global_control (of a test) raises that.
  explicit Impl(int worker_count) : Impl(std::min(worker_count, Allowed()), 0) {}
  Impl(int allowed, int) : crew(allowed), size(static_cast<size_t>(allowed)), arena(allowed) {}
  static int Allowed() {
    using oneapi::tbb::global_control;
    return static_cast<int>(global_control::active_value(global_control::max_allowed_parallelism));
  }

  struct Dismissal {
    WorkerCrew& crew;
    ~Dismissal() { crew.Dismiss(); }
  };

  void Summon() {
    for (; summoned < size; ++summoned) {
      helpers->run([this, member = summoned] { crew.Help(member); });
    }
  }
  void Run(absl::FunctionRef<void()> job) {
    arena.execute([&] {
      oneapi::tbb::task_group group;
      helpers = &group;
      summoned = 1;
      {
        // Also when the job throws: the group waits for helpers that nobody else would send home.
        const Dismissal at_the_end{crew};
        job();
      }
      group.wait();
    });
  }

  oneapi::tbb::task_group* helpers = nullptr;  // of the job that runs
  size_t summoned = 1;                         // members, the leader counted
  WorkerCrew crew;
  size_t size;
  oneapi::tbb::task_arena arena;
};

#endif

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
  Execute([&] {
    impl_->Summon();
    impl_->crew.RunPhase(chunk_count, body);
  });
}

void WorkerArena::Execute(absl::FunctionRef<void()> job) {
  if (!impl_ || impl_->crew.assembled()) {
    job();
    return;
  }
  impl_->crew.Assemble();
  impl_->Run(job);
}

}  // namespace talus
