// The threads that do the server's work, in turns: a ready task runs for one quantum, then goes to
// the back of the queue if it has more to do.
//
// Who brings a task that is done in microseconds may run its turn himself (RunHere): waking another
// thread for it would take longer than the turn.
//
// A task is never on two threads at once and never twice in the queue. The executor keeps a task
// alive while it is ready or runs. It knows nothing of scenes; a quantum ends because the task
// returns.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
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

  Turn turn_ = Turn::kIdle;  // guarded by the executor's mutex
};

class Executor {
 public:
  // `thread_count` >= 1.
  explicit Executor(int thread_count);
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
  void RunThread();
  // The next task in turn; null when the executor stops.
  std::shared_ptr<ExecutorTask> TakeTurn();
  // True: the task waits for another turn.
  bool EndTurn(std::shared_ptr<ExecutorTask>& task, bool more);
  std::unique_ptr<ArenaCache> TakeSpare() TALUS_REQUIRES(mutex_);

  const int thread_count_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<std::shared_ptr<ExecutorTask>> ready_ TALUS_GUARDED_BY(mutex_);
  int running_ TALUS_GUARDED_BY(mutex_) = 0;
  bool stopping_ TALUS_GUARDED_BY(mutex_) = false;
  // For turns of guests: as many as there were ever at once.
  std::vector<std::unique_ptr<ArenaCache>> spare_ TALUS_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace talus
