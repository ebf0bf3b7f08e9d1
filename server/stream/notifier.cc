#include "server/stream/notifier.h"

#include <utility>

namespace talus {

Notifier::Notifier(std::function<void()> notify) : notify_(std::move(notify)) {}

void Notifier::Notify() {
  std::function<void()> call;
  {
    MutexLock lock(mutex_);
    if (closed_ || !notify_) return;
    if (notifying_) {
      notify_again_ = true;
      return;
    }
    notifying_ = true;
    notifier_ = std::this_thread::get_id();
    call = notify_;
  }
  while (true) {
    call();
    MutexLock lock(mutex_);
    if (!notify_again_ || closed_) {
      notifying_ = false;
      notify_again_ = false;
      break;
    }
    notify_again_ = false;
  }
  notified_.notify_all();
}

void Notifier::Close() {
  std::function<void()> released;
  MutexLock lock(mutex_);
  closed_ = true;
  while (notifying_ && notifier_ != std::this_thread::get_id()) notified_.wait(mutex_);
  // What notify holds ends with the local, after the lock.
  released.swap(notify_);
}

}  // namespace talus
