// Those who watch one scene, of one kind: at most so many at once, and none once it has ended.
//
// Any thread joins; whoever leaves closes his subscription and is forgotten with the next look.
// Thread-safe. `Subscription` has closed() and End(status).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/session/error.h"
#include "solver/base/mutex.h"

namespace talus {

template <typename Subscription>
class WatcherList {
 public:
  using Pointer = std::shared_ptr<Subscription>;
  // Whether one more may join those that are there; OK where nothing speaks against it.
  using Check = std::function<absl::Status(const std::vector<Pointer>&)>;

  explicit WatcherList(int64_t limit) : limit_(limit) {}

  // RESOURCE_EXHAUSTED (watchers_per_scene), what `check` says, or why the streams have ended.
  absl::StatusOr<Pointer> Join(Pointer one, const Check& check = nullptr) {
    MutexLock lock(mutex_);
    if (end_.has_value()) return *end_;
    Prune();
    const auto count = static_cast<int64_t>(all_.size());
    if (count >= limit_) return LimitError("watchers_per_scene", limit_, count + 1);
    if (absl::Status may = check ? check(all_) : absl::OkStatus(); !may.ok()) return may;
    all_.push_back(std::move(one));
    watched_.store(true, std::memory_order_release);
    return all_.back();
  }

  // Ends all, and refuses new ones with the same status. Only the first call counts.
  void End(const absl::Status& status) {
    std::vector<Pointer> all;
    {
      MutexLock lock(mutex_);
      if (end_.has_value()) return;
      end_ = status;
      all.swap(all_);
      watched_.store(false, std::memory_order_release);
    }
    for (const Pointer& one : all) one->End(status);
  }

  // Ends those that are there; others may come.
  void EndPresent(const absl::Status& status) {
    std::vector<Pointer> all;
    {
      MutexLock lock(mutex_);
      all.swap(all_);
      watched_.store(false, std::memory_order_release);
    }
    for (const Pointer& one : all) one->End(status);
  }

  // False: there is nobody. One load, so that an unwatched step costs nothing.
  bool watched() const { return watched_.load(std::memory_order_acquire); }

  std::vector<Pointer> FindOpen() {
    MutexLock lock(mutex_);
    Prune();
    return all_;
  }
  int64_t Count() { return static_cast<int64_t>(FindOpen().size()); }

 private:
  // Forgets the closed ones.
  void Prune() TALUS_REQUIRES(mutex_) {
    std::erase_if(all_, [](const Pointer& one) { return one->closed(); });
    watched_.store(!all_.empty(), std::memory_order_release);
  }

  const int64_t limit_;
  Mutex mutex_;
  std::vector<Pointer> all_ TALUS_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ TALUS_GUARDED_BY(mutex_);
  std::atomic<bool> watched_{false};
};

}  // namespace talus
