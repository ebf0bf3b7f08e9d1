// The state of a scene whose memory was let go because nobody used it, and where that state lies
// until somebody does.
#pragma once

#include <cstdint>
#include <string>

#include "server/runtime/completion.h"

namespace talus {

struct EvictedState {
  std::string world;     // the present state, as a snapshot
  std::string origin;    // how the scene came here, as a snapshot: what a reset goes back to
  std::string contacts;  // of the last step (solver/world/last_step.h)
};

class EvictedScene {
 public:
  // Gives the place up.
  virtual ~EvictedScene() = default;
  // Answers from another thread. DATA_LOSS (BAD_SNAPSHOT), UNAVAILABLE (STORAGE, DRAINING).
  virtual void Read(Completion<EvictedState> done) = 0;
};

// What a scene that nobody uses is copied out as.
struct IdleState {
  int64_t idle_mark = 0;  // of SceneActor::FindIdleMark
  int64_t step_index = 0;
  uint64_t state_hash = 0;
  EvictedState state;
};

}  // namespace talus
