// When a stream that reads one message after the other may end. Its end may be asked for at any
// time; gRPC takes none while a message is dealt with or a read is being begun. Thread-safe.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "solver/base/mutex.h"

namespace talus::rpc {

class PlannedEnd {
 public:
  // What the last message asked for is done. False: the stream is to end instead of reading on;
  // else ReadIsBegun follows once the read is.
  bool BeginRead() {
    MutexLock lock(mutex_);
    busy_ = false;
    if (status_.has_value()) return false;
    ++starting_;
    return true;
  }
  void ReadIsBegun() {
    MutexLock lock(mutex_);
    --starting_;
  }
  // A read is done. False: the stream has ended; else it does not until BeginRead or EndNow.
  bool BeginWork() {
    MutexLock lock(mutex_);
    if (finished_) return false;
    busy_ = true;
    return true;
  }
  // Ends so once what was read is dealt with, unless that brings an end of its own.
  void Plan(const absl::Status& status) {
    MutexLock lock(mutex_);
    if (!status_.has_value()) status_ = status;
  }
  // What is being dealt with ends the stream so, whatever was planned.
  void EndNow(const absl::Status& status) {
    MutexLock lock(mutex_);
    busy_ = false;
    status_ = status;
  }
  // What to finish with, once, when it may be; to be asked after any of the above.
  std::optional<absl::Status> TakeDue() {
    MutexLock lock(mutex_);
    if (finished_ || busy_ || starting_ > 0 || !status_.has_value()) return std::nullopt;
    finished_ = true;
    return status_;
  }

 private:
  Mutex mutex_;
  std::optional<absl::Status> status_ TALUS_GUARDED_BY(mutex_);
  bool busy_ TALUS_GUARDED_BY(mutex_) = false;
  int starting_ TALUS_GUARDED_BY(mutex_) = 0;
  bool finished_ TALUS_GUARDED_BY(mutex_) = false;
};

}  // namespace talus::rpc
