// A std::mutex that clang's thread-safety analysis understands. absl::Mutex is not used because its
// packaged build is not instrumented and reports false races under ThreadSanitizer.
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define TALUS_ATTRIBUTE(x) __attribute__((x))
#else
#define TALUS_ATTRIBUTE(x)
#endif

#define TALUS_GUARDED_BY(mutex) TALUS_ATTRIBUTE(guarded_by(mutex))
#define TALUS_REQUIRES(mutex) TALUS_ATTRIBUTE(requires_capability(mutex))
#define TALUS_EXCLUDES(mutex) TALUS_ATTRIBUTE(locks_excluded(mutex))

namespace talus {

class TALUS_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  void lock() TALUS_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  void unlock() TALUS_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class TALUS_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) TALUS_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() TALUS_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Waits on a Mutex that the caller holds.
using CondVar = std::condition_variable_any;

}  // namespace talus
