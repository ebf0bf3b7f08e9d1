#include "server/runtime/executor.h"

#include <utility>

#include "solver/base/check.h"

namespace talus {
namespace {

class Job : public ExecutorTask {
 public:
  explicit Job(std::function<void()> job) : job_(std::move(job)) {}

 private:
  bool RunQuantum(ArenaCache&, bool) override {
    // What the job holds is let go as soon as it has run.
    std::exchange(job_, nullptr)();
    return false;
  }

  std::function<void()> job_;
};

}  // namespace

WorkerArena& ArenaCache::FindOrMake(int worker_count) {
  std::unique_ptr<WorkerArena>& arena = arenas_[worker_count];
  if (arena == nullptr) arena = std::make_unique<WorkerArena>(worker_count);
  return *arena;
}

Executor::Executor(int thread_count) : thread_count_(thread_count) {
  TALUS_CHECK(thread_count >= 1);
  for (int index = 0; index < thread_count; ++index) {
    threads_.emplace_back([this] { RunThread(); });
  }
}

Executor::~Executor() { Stop(); }

bool Executor::MakeReady(std::shared_ptr<ExecutorTask> task) {
  using Turn = ExecutorTask::Turn;
  {
    MutexLock lock(mutex_);
    if (stopping_ && running_ == 0) return false;
    if (task->turn_ == Turn::kRunning) task->turn_ = Turn::kRunningReadyAgain;
    if (task->turn_ != Turn::kIdle) return true;
    task->turn_ = Turn::kReady;
    ready_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

bool Executor::RunHere(std::shared_ptr<ExecutorTask> task) {
  using Turn = ExecutorTask::Turn;
  std::unique_ptr<ArenaCache> arenas;
  {
    MutexLock lock(mutex_);
    if (!stopping_ && task->turn_ == Turn::kIdle) {
      task->turn_ = Turn::kRunning;
      ++running_;
      arenas = TakeSpare();
    }
  }
  if (arenas == nullptr) return MakeReady(std::move(task));
  const bool more = task->RunQuantum(*arenas, true);
  {
    MutexLock lock(mutex_);
    spare_.push_back(std::move(arenas));
  }
  // A thread of the executor would come back for it; a guest does not.
  if (EndTurn(task, more)) changed_.notify_one();
  return true;
}

std::unique_ptr<ArenaCache> Executor::TakeSpare() {
  if (spare_.empty()) return std::make_unique<ArenaCache>();
  std::unique_ptr<ArenaCache> arenas = std::move(spare_.back());
  spare_.pop_back();
  return arenas;
}

bool Executor::Post(std::function<void()> job) {
  return MakeReady(std::make_shared<Job>(std::move(job)));
}

void Executor::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

int Executor::busy_count() const {
  MutexLock lock(mutex_);
  return running_ + static_cast<int>(ready_.size());
}

std::shared_ptr<ExecutorTask> Executor::TakeTurn() {
  MutexLock lock(mutex_);
  // A task that still runs may make others ready, so the threads stay until the last one has
  // returned.
  while (ready_.empty() && !(stopping_ && running_ == 0)) changed_.wait(mutex_);
  if (ready_.empty()) return nullptr;
  std::shared_ptr<ExecutorTask> task = std::move(ready_.front());
  ready_.pop_front();
  task->turn_ = ExecutorTask::Turn::kRunning;
  ++running_;
  return task;
}

bool Executor::EndTurn(std::shared_ptr<ExecutorTask>& task, bool more) {
  using Turn = ExecutorTask::Turn;
  bool again = false;
  bool wake_all = false;
  {
    MutexLock lock(mutex_);
    --running_;
    if (more || task->turn_ == Turn::kRunningReadyAgain) {
      task->turn_ = Turn::kReady;
      ready_.push_back(std::move(task));
      again = true;
    } else {
      task->turn_ = Turn::kIdle;
    }
    wake_all = stopping_ && running_ == 0;
  }
  if (wake_all) changed_.notify_all();
  // A task nobody holds any more ends here, outside the lock.
  task.reset();
  return again;
}

void Executor::RunThread() {
  ArenaCache arenas;
  while (std::shared_ptr<ExecutorTask> task = TakeTurn()) {
    const bool more = task->RunQuantum(arenas, false);
    EndTurn(task, more);
  }
}

}  // namespace talus
