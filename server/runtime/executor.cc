#include "server/runtime/executor.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "server/runtime/nice_value.h"
#include "server/runtime/time_slice.h"
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

// What the calling thread has had of a processor.
std::chrono::nanoseconds ThreadTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

WorkerArena& ArenaCache::FindOrMake(int worker_count) {
  std::unique_ptr<WorkerArena>& arena = arenas_[worker_count];
  if (arena == nullptr) arena = std::make_unique<WorkerArena>(worker_count);
  return *arena;
}

Executor::Executor(int thread_count, const StandIns& stand_ins, const CoreClaim& claim)
    : thread_count_(thread_count),
      stand_ins_(stand_ins),
      begun_(static_cast<size_t>(thread_count + stand_ins.count)) {
  TALUS_CHECK(thread_count >= 1 && stand_ins.count >= 0);
  const auto count = static_cast<size_t>(thread_count + stand_ins.count);
  for (size_t thread = 0; thread < count; ++thread) {
    threads_.emplace_back([this, thread, claim] {
      if (claim.time_slice.count() > 0) AskForTimeSlices(claim.time_slice);
      if (claim.nice > 0 || (claim.nice < 0 && !IsStandIn(thread))) AskForNiceValue(claim.nice);
      RunThread(thread);
    });
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
    CallStandIn();
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
  stand_in_called_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

int Executor::busy_count() const {
  MutexLock lock(mutex_);
  return running_ + static_cast<int>(ready_.size());
}

// A task that still runs may make others ready, so the threads stay until the last one has
// returned.
bool Executor::HaveAllEnded() const { return stopping_ && running_ == 0 && ready_.empty(); }

std::shared_ptr<ExecutorTask> Executor::TakeTurn(size_t thread) {
  MutexLock lock(mutex_);
  while (ready_.empty() && !HaveAllEnded()) changed_.wait(mutex_);
  return ready_.empty() ? nullptr : BeginTurn(thread, ready_.begin());
}

std::shared_ptr<ExecutorTask> Executor::TakeTurnAsStandIn(size_t thread) {
  MutexLock lock(mutex_);
  while (!HaveAllEnded()) {
    const Queue::iterator place = FindForStandIn();
    const std::optional<TimePoint> held_up = place == ready_.end() ? std::nullopt : FindHeldUp();
    if (!held_up.has_value()) {
      stand_in_called_.wait(mutex_);
    } else if (std::chrono::steady_clock::now() >= *held_up) {
      return BeginTurn(thread, place);
    } else {
      watched_ = true;
      stand_in_called_.wait_until(mutex_, *held_up);
      watched_ = false;
    }
  }
  return nullptr;
}

std::shared_ptr<ExecutorTask> Executor::BeginTurn(size_t thread, Queue::iterator place) {
  std::shared_ptr<ExecutorTask> task = std::move(*place);
  ready_.erase(place);
  task->turn_ = ExecutorTask::Turn::kRunning;
  ++running_;
  begun_[thread] = std::chrono::steady_clock::now();
  CallStandIn();
  return task;
}

void Executor::NoteTurn(size_t thread, std::chrono::nanoseconds spent, ExecutorTask& task) {
  MutexLock lock(mutex_);
  begun_[thread].reset();
  task.was_long_ = spent > stand_ins_.longest;
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
      CallStandIn();
      again = true;
    } else {
      task->turn_ = Turn::kIdle;
    }
    wake_all = HaveAllEnded();
  }
  if (wake_all) {
    changed_.notify_all();
    stand_in_called_.notify_all();
  }
  // A task nobody holds any more ends here, outside the lock.
  task.reset();
  return again;
}

void Executor::CallStandIn() {
  if (stand_ins_.count == 0 || watched_ || !FindHeldUp().has_value()) return;
  if (FindForStandIn() != ready_.end()) stand_in_called_.notify_one();
}

Executor::Queue::iterator Executor::FindForStandIn() {
  return std::ranges::find_if(ready_, [](const auto& task) { return !task->was_long_; });
}

std::optional<Executor::TimePoint> Executor::FindHeldUp() const {
  TimePoint last;
  for (size_t thread = 0; !IsStandIn(thread); ++thread) {
    if (!begun_[thread].has_value()) return std::nullopt;
    last = std::max(last, *begun_[thread]);
  }
  return last + stand_ins_.patience;
}

void Executor::RunThread(size_t thread) {
  ArenaCache arenas;
  while (std::shared_ptr<ExecutorTask> task =
             IsStandIn(thread) ? TakeTurnAsStandIn(thread) : TakeTurn(thread)) {
    const std::chrono::nanoseconds begun = ThreadTime();
    const bool more = task->RunQuantum(arenas, false);
    NoteTurn(thread, ThreadTime() - begun, *task);
    // A thread comes back for it; a stand-in may not.
    if (EndTurn(task, more) && IsStandIn(thread)) changed_.notify_one();
  }
}

}  // namespace talus
