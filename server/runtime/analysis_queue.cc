#include "server/runtime/analysis_queue.h"

#include <optional>

#include "server/runtime/waiter.h"
#include "server/session/error.h"

namespace talus {

AnalysisQueue::AnalysisQueue(const Clock& clock, int64_t depth)
    : clock_(clock), depth_(depth), executor_(1) {}

absl::Status AnalysisQueue::Enter() {
  MutexLock lock(mutex_);
  if (draining_) return DrainingError();
  if (held_ >= depth_) return LimitError("analyses", depth_, held_ + 1);
  ++held_;
  return absl::OkStatus();
}

void AnalysisQueue::Leave() {
  MutexLock lock(mutex_);
  --held_;
  ++answering_;
}

void AnalysisQueue::EndAnswer() {
  {
    MutexLock lock(mutex_);
    --answering_;
  }
  changed_.notify_all();
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
  return held_;
}

void AnalysisQueue::BeginDrain() {
  MutexLock lock(mutex_);
  draining_ = true;
}

bool AnalysisQueue::WaitUntilDrained(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  MutexLock lock(mutex_);
  while (held_ + answering_ > 0) {
    if (changed_.wait_until(mutex_, until) == std::cv_status::timeout) break;
  }
  return held_ + answering_ == 0;
}

void AnalysisQueue::End() {
  BeginDrain();
  executor_.Stop();
}

}  // namespace talus
