// What scenes hold and who waits for them at one moment, added up over all scenes of a server.
#pragma once

#include <algorithm>
#include <cstdint>

namespace talus {

struct SceneLoad {
  int64_t scenes = 0;
  int64_t faulted = 0;
  int64_t evicted = 0;
  int64_t bodies = 0;
  int64_t joints = 0;
  int64_t watchers = 0;
  int64_t waiting = 0;       // commands in mailboxes
  int64_t most_waiting = 0;  // in one mailbox

  SceneLoad& operator+=(const SceneLoad& other) {
    scenes += other.scenes;
    faulted += other.faulted;
    evicted += other.evicted;
    bodies += other.bodies;
    joints += other.joints;
    watchers += other.watchers;
    waiting += other.waiting;
    most_waiting = std::max(most_waiting, other.most_waiting);
    return *this;
  }
};

}  // namespace talus
