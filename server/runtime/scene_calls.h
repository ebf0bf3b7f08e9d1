// What can be asked of a scene and what comes back: the values that travel between the RPC layer
// and a scene actor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/runtime/scene_info.h"
#include "server/runtime/stop_condition.h"
#include "server/stream/body_selection.h"
#include "server/stream/frame.h"
#include "solver/base/ids.h"
#include "solver/rays/ray.h"
#include "solver/scene/actuator_def.h"
#include "solver/scene/body_update.h"
#include "solver/scene/scene_def.h"
#include "solver/world/actuation.h"
#include "solver/world/joint_record.h"
#include "solver/world/scene_reset.h"
#include "solver/world/step_options.h"
#include "solver/world/step_problem.h"

namespace talus {

// What is to be driven, and with what values; see solver/scene/actuator_def.h.
struct Actuation {
  std::vector<ActuatorDef> actuators;
  // Instead of `actuators`: what was found for them before. Not part of what makes calls equal.
  std::shared_ptr<const ActuatorTargets> targets;
  std::vector<double> values;
};

struct StepCall {
  int64_t step_count = 1;              // 1 to Limits::steps_per_call
  std::optional<Actuation> actuation;  // set before the first step
  std::optional<StopCondition> until;  // ends the call early, and before the first step
  std::optional<int64_t> expected_step_index;
  std::string request_id;  // not empty: a repeat gets the first answer
  FrameParts parts;        // what the answer's frame must hold
  BodySelection bodies;    // looked up before the first step, for who encodes the frame
  bool residual_history = false;
  ProblemCapture capture = ProblemCapture::kNever;
  // The caller's thread may make the steps itself, where they are known to be short.
  bool may_run_here = false;
};

struct StepAnswer {
  FramePtr frame;
  SelectedBodiesPtr bodies;  // of StepCall::bodies; null: all
  int64_t steps_done = 0;
  double worst_residual = 0.0;    // over the steps of the call
  int64_t unconverged_steps = 0;  // steps that ended without reaching the tolerance
  double worst_penetration_m = 0.0;
  int64_t sweep_count = 0;
  StopReason stop = StopReason::kNone;  // which part of StepCall::until ended it
};

struct ResetCall {
  bool all = true;  // everything, to the bits the scene was made with; `scope` is not read
  ResetScope scope;
};

struct ActuatorsAnswer {
  ActuatorTargets targets;
  SceneInfo info;
  std::shared_ptr<const Layout> layout;
};

struct ReadCall {
  FrameParts parts;
  bool energy = false;
  bool problem = false;
  bool joints = false;
  std::shared_ptr<const RayQuery> rays = nullptr;  // to be cast; null: none
};

struct ReadAnswer {
  FramePtr frame;
  SceneInfo info;
  Energy energy;                               // when asked for
  std::shared_ptr<const StepProblem> problem;  // when asked for; null: none was kept
  std::vector<JointRecord> joints;             // when asked for
  std::vector<JointDef> joint_defs;            // of the same joints
  std::vector<RayHit> ray_hits;                // one a ray
  int64_t mailbox_depth = 0;
  int64_t watcher_count = 0;
};

// The bodies above an id, as they are now; all of one moment.
struct BodyPage {
  std::vector<BodyId> ids;  // grow
  std::vector<BodyDef> bodies;
  std::vector<NamedMaterial> materials;  // those the shapes name, by name
  bool last = true;                      // there are none above these
  int64_t step_index = 0;
  int64_t layout_version = 0;
};

struct JointPage {
  std::vector<JointId> ids;  // grow
  std::vector<JointDef> joints;
  bool last = true;
  int64_t step_index = 0;
  int64_t layout_version = 0;
};

struct AddBodiesCall {
  std::vector<BodyDef> bodies;
  std::vector<NamedMaterial> materials;
  std::vector<JointDef> joints = {};  // perhaps between these bodies
};

struct AddBodiesAnswer {
  std::vector<BodyId> body_ids;  // in the order of the call
  std::vector<JointId> joint_ids;
  std::shared_ptr<const Layout> layout;
  SceneInfo info;
};

struct RemoveBodiesCall {
  std::vector<BodyId> body_ids;
  std::vector<std::string> body_names;
};

struct AddJointsAnswer {
  std::vector<JointId> joint_ids;  // in the order of the call
  SceneInfo info;
};

struct RemoveJointsCall {
  std::vector<JointId> joint_ids;
  std::vector<std::string> joint_names;
};

struct AddEmittersCall {
  std::vector<EmitterDef> emitters;
  std::vector<NamedMaterial> materials;
};

// A solver snapshot in memory, with what one wants to know without parsing it.
struct SceneSnapshot {
  int64_t step_index = 0;
  uint64_t state_hash = 0;
  std::string bytes;
};

}  // namespace talus
