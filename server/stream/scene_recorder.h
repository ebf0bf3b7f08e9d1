// Somebody who is told everything that happens to a scene, in order: a recording, or the check of
// one that is replayed.
//
// The scene's actor calls it inside its quantum, so nothing here may block or take long. The scene
// lets go of a recorder that is closed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "server/stream/frame.h"
#include "server/stream/scene_input.h"

namespace talus {

struct StepNote {
  int64_t step_index = 0;  // of the state the step led to
  double time_s = 0.0;
  uint64_t state_hash = 0;
  bool residual_history = false;
};

// The state a recorder begins from.
struct RecordStart {
  int64_t step_index = 0;
  double time_s = 0.0;
  uint64_t state_hash = 0;
  std::string snapshot;  // the solver's bytes; empty when the recorder wants none
};

class SceneRecorder {
 public:
  virtual ~SceneRecorder() = default;

  // Whether OnStart needs the snapshot.
  virtual bool wants_snapshot() const = 0;
  // The first call. What comes later happened after this state.
  virtual void OnStart(RecordStart start) = 0;
  virtual void OnStep(const StepNote& step) = 0;
  virtual void OnInput(InputRecord input) = 0;
  // After each of the three above: which columns it wants of this moment, if any.
  virtual std::optional<FrameParts> FindDueParts(int64_t step_index, bool by_hand) = 0;
  virtual void OnFrame(const FramePtr& frame) = 0;
  // The scene ends. The last call.
  virtual void OnEnd(const absl::Status& why) = 0;
  virtual bool closed() const = 0;
};

}  // namespace talus
