#include "server/runtime/analysis_queue.h"

#include <optional>
#include <vector>

#include "server/runtime/waiter.h"
#include "server/session/error.h"

namespace talus {

AnalysisQueue::AnalysisQueue(const Clock& clock, int64_t depth, std::chrono::nanoseconds slice)
    : clock_(clock), depth_(depth), line_(depth), core_(slice), executor_(kClientsAtOnce) {}

AnalysisQueue::~AnalysisQueue() { End(); }

void AnalysisQueue::Enter(const std::string& client, LineCall call) {
  std::optional<LineCall> refused;
  bool draining = false;
  {
    MutexLock lock(mutex_);
    draining = draining_;
    refused = draining ? std::move(call) : line_.Add(client, std::move(call));
    if (refused.has_value()) ++answering_;
  }
  if (refused.has_value()) {
    refused->refuse(draining ? DrainingError() : LimitError("analyses", depth_, depth_ + 1));
    EndAnswer();
  }
  // Also where the place of another call was taken: it goes unused then. Refused only once all
  // drains.
  if (!executor_.Post([this] { RunNext(); })) RefuseWaiting();
}

void AnalysisQueue::RunNext() {
  std::optional<ClientLine::Turn> turn;
  {
    MutexLock lock(mutex_);
    turn = line_.TakeNext();
  }
  if (turn.has_value()) turn->call.run();
}

void AnalysisQueue::EndTurn(const std::string& client) {
  {
    MutexLock lock(mutex_);
    line_.EndTurn(client);
    ++answering_;
  }
  // His next call, if he has one. Refused only in End, which looks for those that wait.
  executor_.Post([this] { RunNext(); });
}

void AnalysisQueue::EndAnswer() {
  {
    MutexLock lock(mutex_);
    --answering_;
  }
  changed_.notify_all();
}

void AnalysisQueue::RefuseWaiting() {
  std::vector<LineCall> waiting;
  {
    MutexLock lock(mutex_);
    waiting = line_.TakeWaiting();
    answering_ += static_cast<int64_t>(waiting.size());
  }
  for (LineCall& call : waiting) {
    call.refuse(DrainingError());
    EndAnswer();
  }
}

absl::Status AnalysisQueue::FindEnd(const CallControlPtr& control) const {
  if (const std::optional<WaitEnd> end = FindWaitEnd(control, clock_.Now()); end.has_value()) {
    return WaitEndError(*end, 0, 0);
  }
  MutexLock lock(mutex_);
  return draining_ ? DrainingError() : absl::OkStatus();
}

int64_t AnalysisQueue::held() const {
  MutexLock lock(mutex_);
  return line_.held();
}

void AnalysisQueue::BeginDrain() {
  MutexLock lock(mutex_);
  draining_ = true;
}

bool AnalysisQueue::WaitUntilDrained(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  MutexLock lock(mutex_);
  while (line_.held() + answering_ > 0) {
    if (changed_.wait_until(mutex_, until) == std::cv_status::timeout) break;
  }
  return line_.held() + answering_ == 0;
}

void AnalysisQueue::End() {
  BeginDrain();
  executor_.Stop();
  RefuseWaiting();
}

}  // namespace talus
