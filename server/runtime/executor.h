// The threads that do the server's work, in turns: a ready task runs for one quantum, then goes to
// the back of the queue if it has more to do.
//
// Who brings a task that is done in microseconds may run its turn himself (RunHere): waking another
// thread for it would take longer than the turn.
//
// A turn cannot be cut short, as a step cannot. Where every thread is at one that takes long,
// stand-ins run what else is ready, and leave to the threads the tasks whose last turn was a long
// one: else as many long steps as there are threads would hold up everybody.
//
// A task is never on two threads at once and never twice in the queue. The executor keeps a task
// alive while it is ready or runs. It knows nothing of scenes; a quantum ends because the task
// returns.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "solver/base/mutex.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

// The worker arenas of one executor thread, one for each size it was ever lent.
class ArenaCache {
 public:
  WorkerArena& FindOrMake(int worker_count);

 private:
  std::map<int, std::unique_ptr<WorkerArena>> arenas_;
};

class ExecutorTask {
 public:
  virtual ~ExecutorTask() = default;

 private:
  friend class Executor;
  enum class Turn { kIdle, kReady, kRunning, kRunningReadyAgain };

  // Works for about one quantum, or the shorter one of a guest. True: there is more to do.
  virtual bool RunQuantum(ArenaCache& arenas, bool guest) = 0;

  // Guarded by the executor's mutex.
  Turn turn_ = Turn::kIdle;
  bool was_long_ = false;  // its last turn that no guest ran
};

// Threads beside those of an executor, for when all of these are held.
struct StandIns {
  int count = 0;
  // So long every thread must have been at its turn.
  std::chrono::steady_clock::duration patience = std::chrono::milliseconds(10);
  // Of a turn that they may take, processor time: on a busy machine each takes longer.
  std::chrono::nanoseconds longest = std::chrono::milliseconds(100);
};

// What the threads of an executor, and those that they start, ask the kernel for; 0: they have what
// the thread has that makes it.
struct CoreClaim {
  std::chrono::microseconds time_slice{0};  // runtime/time_slice.h
  // runtime/nice_value.h. Stand-ins give way as the others do, but do not go first: with them there
  // may be more threads than cores were meant for.
  int nice = 0;
};

class Executor {
 public:
  // `thread_count` >= 1.
  explicit Executor(int thread_count, const StandIns& stand_ins = {}, const CoreClaim& claim = {});
  // Stops.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // The task gets at least one quantum after this call. False: the executor has stopped, nothing
  // happens.
  bool MakeReady(std::shared_ptr<ExecutorTask> task);
  // The same, but where nothing else is done about the task just now it gets its quantum on this
  // thread, before the call returns, however many threads are at work. The caller holds no lock,
  // and the quantum is known to be short.
  bool RunHere(std::shared_ptr<ExecutorTask> task);
  // Runs `job` once. False: the executor has stopped, the job is dropped.
  bool Post(std::function<void()> job);
  // Lets the tasks that are ready now and the quanta they ask for finish, then joins the threads.
  // Idempotent.
  void Stop();

  // Tasks that run or wait for a thread.
  int busy_count() const;
  int thread_count() const { return thread_count_; }

 private:
  using Queue = std::deque<std::shared_ptr<ExecutorTask>>;
  using TimePoint = std::chrono::steady_clock::time_point;

  // Stand-ins are the last threads.
  bool IsStandIn(size_t thread) const { return thread >= static_cast<size_t>(thread_count_); }
  void RunThread(size_t thread);
  // The next task in turn; null when the executor stops.
  std::shared_ptr<ExecutorTask> TakeTurn(size_t thread);
  std::shared_ptr<ExecutorTask> TakeTurnAsStandIn(size_t thread);
  std::shared_ptr<ExecutorTask> BeginTurn(size_t thread, Queue::iterator place)
      TALUS_REQUIRES(mutex_);
  // Of one that a thread has run.
  void NoteTurn(size_t thread, std::chrono::nanoseconds spent, ExecutorTask& task);
  // True: the task waits for another turn.
  bool EndTurn(std::shared_ptr<ExecutorTask>& task, bool more);
  bool HaveAllEnded() const TALUS_REQUIRES(mutex_);
  // Wakes a stand-in where a task that one may run waits for a thread, and none looks yet for how
  // long.
  void CallStandIn() TALUS_REQUIRES(mutex_);
  Queue::iterator FindForStandIn() TALUS_REQUIRES(mutex_);
  // From when on every thread's turn is a long one; none where a thread has no turn.
  std::optional<TimePoint> FindHeldUp() const TALUS_REQUIRES(mutex_);
  std::unique_ptr<ArenaCache> TakeSpare() TALUS_REQUIRES(mutex_);

  const int thread_count_;
  const StandIns stand_ins_;
  mutable Mutex mutex_;
  CondVar changed_;
  CondVar stand_in_called_;
  Queue ready_ TALUS_GUARDED_BY(mutex_);
  int running_ TALUS_GUARDED_BY(mutex_) = 0;
  bool stopping_ TALUS_GUARDED_BY(mutex_) = false;
  // Whether a stand-in waits for the moment that FindHeldUp tells.
  bool watched_ TALUS_GUARDED_BY(mutex_) = false;
  std::vector<std::optional<TimePoint>> begun_ TALUS_GUARDED_BY(mutex_);  // turns, by thread
  // For turns of guests: as many as there were ever at once.
  std::vector<std::unique_ptr<ArenaCache>> spare_ TALUS_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace talus
