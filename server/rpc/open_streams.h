// The streams of one method, so that all of them can be ended: one that is in no scene does not end
// with any. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "server/session/error.h"
#include "solver/base/mutex.h"

namespace talus::rpc {

// A Reactor has End(status), which may be called at any time, before it has begun to read as well.
template <typename Reactor>
class OpenStreams {
 public:
  // Once all have been ended it is ended at once.
  void Add(const std::shared_ptr<Reactor>& stream) {
    bool ended = false;
    {
      MutexLock lock(mutex_);
      streams_.emplace(stream.get(), stream);
      ended = ended_;
    }
    if (ended) stream->End(DrainingError());
  }
  // Once gRPC is done with it.
  void Remove(Reactor* stream) {
    MutexLock lock(mutex_);
    streams_.erase(stream);
  }
  // With UNAVAILABLE (DRAINING).
  void EndAll() {
    std::vector<std::shared_ptr<Reactor>> streams;
    {
      MutexLock lock(mutex_);
      ended_ = true;
      for (const auto& [reactor, weak] : streams_) {
        if (auto stream = weak.lock()) streams.push_back(std::move(stream));
      }
    }
    for (const auto& stream : streams) stream->End(DrainingError());
  }

 private:
  Mutex mutex_;
  bool ended_ TALUS_GUARDED_BY(mutex_) = false;
  std::map<Reactor*, std::weak_ptr<Reactor>> streams_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus::rpc
