// A scene in a few numbers, as GetScene and ListScenes tell them. A value: it never changes once
// read.
#pragma once

#include <cstdint>
#include <string>

#include "server/runtime/free_run.h"
#include "solver/scene/step_settings.h"

namespace talus {

// What a scene is made under beside its world; it does not change the bits.
struct SceneTerms {
  bool scratch = false;     // of use to nobody before it is kept; until then it is not stored
  double idle_ttl_s = 0.0;  // evicted when not used for so long; 0: as the server does
};

struct SceneInfo {
  std::string id;  // without `scenes/`
  int64_t step_index = 0;
  double time_s = 0.0;
  int64_t body_count = 0;
  int64_t emitter_count = 0;
  int64_t particles_pending = 0;
  int64_t joint_count = 0;
  int64_t layout_version = 0;
  uint64_t state_hash = 0;
  int64_t change_count = 0;  // since this server has it: grows with every step and input
  StepSettings settings;
  std::string fault;        // not empty: FAULTED, and why
  RunInfo run;              // whether it steps on its own
  std::string holder;       // of the lease on it; empty: nobody
  bool evicted = false;     // its state is on disk until somebody needs it
  double idle_ttl_s = 0.0;  // as SceneTerms
};

}  // namespace talus
