// What changed a scene, as values: the words in which inputs are recorded and made again.
//
// One alternative for each kind of change; together with the state they began from they determine
// every later state, bit for bit. An input that cannot be told here cannot be replayed, so a new
// kind of change gets an alternative of its own, its encoding in server/wire/recording_codec.cc and
// its repetition in server/session/input_replay.cc.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "solver/base/ids.h"
#include "solver/scene/body_update.h"
#include "solver/scene/scene_def.h"
#include "solver/world/actuation.h"

namespace talus {

// Steps one after the other, all asked for alike.
struct StepsMade {
  bool residual_history = false;       // changes the bits of a step
  std::vector<uint64_t> state_hashes;  // after each
};

struct BodiesAdded {
  std::vector<BodyDef> bodies;
  std::vector<NamedMaterial> materials;
  std::vector<JointDef> joints = {};
};

struct BodiesRemoved {
  std::vector<BodyId> body_ids;
  std::vector<std::string> body_names;
};

struct BodiesUpdated {
  std::vector<BodyUpdate> updates;
};

struct EmittersAdded {
  std::vector<EmitterDef> emitters;
  std::vector<NamedMaterial> materials;
};

struct EmittersRemoved {
  std::vector<std::string> names;
};

struct JointsAdded {
  std::vector<JointDef> joints;
};

struct JointsRemoved {
  std::vector<JointId> joint_ids;
  std::vector<std::string> joint_names;
};

struct Actuated {
  std::vector<ActuatorTarget> targets;
  std::vector<double> values;  // of all of them, one after the other
};

struct SceneRestored {
  std::string snapshot;  // the solver's bytes
};

using SceneInput =
    std::variant<StepsMade, BodiesAdded, BodiesRemoved, EmittersAdded, EmittersRemoved, JointsAdded,
                 JointsRemoved, SceneRestored, Actuated, BodiesUpdated>;

struct InputRecord {
  int64_t step_index = 0;   // of the state it met
  double time_s = 0.0;      // of the state it led to
  uint64_t state_hash = 0;  // of the state it led to
  SceneInput input;
};

}  // namespace talus
