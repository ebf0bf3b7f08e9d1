// The last answers by request id, which make a repeated request harmless.
//
// Bounded: the answer that was asked for least recently is forgotten first; one that is still
// awaited is kept. Not thread-safe: it is a member of something that has a lock.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/session/error.h"
#include "server/session/shared_answer.h"

namespace talus {

template <typename T>
class AnswerMemory {
 public:
  using AnswerPtr = std::shared_ptr<SharedAnswer<T>>;

  explicit AnswerMemory(size_t capacity) : capacity_(capacity) {}

  // The answer under `request_id`; null when there is none; REQUEST_ID_REUSED when another request
  // had that id.
  absl::StatusOr<AnswerPtr> Find(const std::string& request_id, const std::string& fingerprint) {
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->request_id != request_id) continue;
      if (entry->fingerprint != fingerprint) return RequestIdReusedError(request_id);
      entries_.splice(entries_.begin(), entries_, entry);
      return entries_.front().answer;
    }
    return AnswerPtr();
  }

  void Add(const std::string& request_id, const std::string& fingerprint, AnswerPtr answer) {
    entries_.push_front({request_id, fingerprint, std::move(answer)});
    for (auto entry = entries_.end(); entries_.size() > capacity_ && entry != entries_.begin();) {
      --entry;
      if (entry->answer->settled()) entry = entries_.erase(entry);
    }
  }

  // For an answer that changed nothing: the next request with its id is a first one again.
  void Forget(const AnswerPtr& answer) {
    entries_.remove_if([&](const Entry& entry) { return entry.answer == answer; });
  }

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string request_id;
    std::string fingerprint;
    AnswerPtr answer;
  };
  const size_t capacity_;
  std::list<Entry> entries_;  // most recently asked for first
};

}  // namespace talus
