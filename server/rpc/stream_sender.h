// The thread on which stream writes begin after a scene published a frame.
//
// Handing a large frame to gRPC may copy it into the socket there and then; done on the thread that
// steps the scene, a watcher would slow the scene down. So the scene's notification only queues a
// task here. Tasks run one at a time in the order they came; each stream keeps at most one task
// queued, which bounds the queue.
#pragma once

#include <deque>
#include <functional>
#include <thread>

#include "solver/base/mutex.h"

namespace talus::rpc {

class StreamSender {
 public:
  StreamSender();
  // Runs what is queued, then joins.
  ~StreamSender();
  StreamSender(const StreamSender&) = delete;
  StreamSender& operator=(const StreamSender&) = delete;

  // Thread-safe; never blocks on a task.
  void Submit(std::function<void()> task);

 private:
  void Run();

  Mutex mutex_;
  CondVar wake_;
  std::deque<std::function<void()>> tasks_ TALUS_GUARDED_BY(mutex_);
  bool stopping_ TALUS_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace talus::rpc
