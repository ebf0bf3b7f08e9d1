// A recording made again: a scene from the state it began from, every recorded input given to it in
// order, and the hash after each step and input compared with the recorded one.
//
// The scene that is replayed into is an ordinary scene, so limits, fairness, cancellation and
// deadline hold as for any other, and steps beyond steps_per_second wait; the first difference ends
// the replay and is the answer. A few inputs are read at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "server/runtime/call_control.h"
#include "server/runtime/clock.h"
#include "server/runtime/completion.h"
#include "server/runtime/executor.h"
#include "server/session/scene_registry.h"
#include "server/stream/recording_codec.h"

namespace talus {

struct ReplayCall {
  std::string recording_id;
  std::string scene_id;     // not empty: the scene stays under this id
  std::string client = {};  // who asks
};

struct ReplayMismatch {
  int64_t step_index = 0;  // of the state that should have been reached
  int64_t input_index = 0;
  uint64_t recorded_hash = 0;
  uint64_t replayed_hash = 0;
  std::string error;  // not empty: the input could not be made at all
};

struct ReplayAnswer {
  SceneInfo scene;  // at the end
  int64_t steps_replayed = 0;
  int64_t inputs_replayed = 0;  // steps in a row count as one
  bool truncated = false;       // the recording has no end; all that it holds was replayed
  std::optional<ReplayMismatch> mismatch;
};

class InputReplay {
 public:
  // On the executor's thread. `done` runs once: DATA_LOSS (BAD_RECORDING), what CreateScene and
  // Step may end with, CANCELLED, DEADLINE_EXCEEDED. The references outlive the replay.
  static void Begin(const ReplayCall& call, const std::string& path,
                    std::shared_ptr<const RecordingCodec> codec, SceneRegistry& registry,
                    Executor& executor, Clock& clock, const Limits& limits,
                    const CallControlPtr& control, Completion<ReplayAnswer> done);
};

}  // namespace talus
