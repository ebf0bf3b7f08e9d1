// Scenes and what changes them: whatever a caller may send, from the message to the step.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "clients/cli/scene_file.h"
#include "server/rpc/control_codec.h"
#include "server/rpc/step_codec.h"
#include "server/runtime/control_session.h"
#include "server/runtime/stop_condition.h"
#include "server/wire/actuation_codec.h"
#include "server/wire/recording_codec.h"
#include "server/wire/scene_codec.h"
#include "solver/base/check.h"
#include "solver/world/world.h"
#include "tests/fuzz/fuzz_world.h"
#include "tests/fuzz/fuzzers.h"

namespace talus::fuzz {
namespace {

v1::SceneSpec EncodeAnew(const SceneDef& scene) {
  v1::SceneSpec message;
  wire::EncodeScene(scene, message);
  return message;
}

// What a description holds passes through the wire bit for bit.
void CheckRoundTrip(const SceneDef& scene) {
  const v1::SceneSpec once = EncodeAnew(scene);
  const absl::StatusOr<SceneDef> back = wire::DecodeScene(once, "spec");
  TALUS_CHECK(back.ok());
  TALUS_CHECK(EncodeAnew(*back).SerializeAsString() == once.SerializeAsString());
}

struct Change {
  World& world;

  absl::Status operator()(const StepsMade& made) {
    return StepFew(world, StepOptions{.residual_history = made.residual_history});
  }
  absl::Status operator()(const BodiesAdded& added) {
    return world.AddModel(added.bodies, added.materials, added.joints).status();
  }
  absl::Status operator()(const BodiesRemoved& removed) {
    return world.RemoveBodies(removed.body_ids, removed.body_names);
  }
  absl::Status operator()(const BodiesUpdated& updated) {
    return world.UpdateBodies(updated.updates);
  }
  absl::Status operator()(const EmittersAdded& added) {
    return world.AddEmitters(added.emitters, added.materials);
  }
  absl::Status operator()(const EmittersRemoved& removed) {
    return world.RemoveEmitters(removed.names);
  }
  absl::Status operator()(const JointsAdded& added) {
    return world.AddJoints(added.joints).status();
  }
  absl::Status operator()(const JointsRemoved& removed) {
    return world.RemoveJoints(removed.joint_ids, removed.joint_names);
  }
  absl::Status operator()(const SceneRestored& restored) {
    return World::Restore(restored.snapshot).status();
  }
  absl::Status operator()(const Actuated& actuated) {
    std::vector<ActuatorDef> actuators;
    for (const ActuatorTarget& one : actuated.targets) {
      actuators.push_back({one.kind, one.id, {}, one.axis});
    }
    const absl::StatusOr<ActuatorTargets> targets = world.FindActuators(actuators);
    return targets.ok() ? world.Actuate(*targets, actuated.values) : targets.status();
  }
};

}  // namespace

void FeedSceneSpec(std::string_view text) {
  v1::SceneSpec message;
  if (!ReadText(text, message)) return;
  absl::StatusOr<SceneDef> scene = wire::DecodeScene(message, "spec");
  if (!scene.ok()) return CheckRefusal(scene.status());
  CheckRoundTrip(*scene);
  const absl::Status tried = TryScene(*std::move(scene));
  if (!tried.ok()) CheckRefusal(tried);
}

void FeedSceneInput(std::string_view text) {
  v1::SceneInput message;
  if (!ReadText(text, message)) return;
  const absl::StatusOr<InputRecord> record = wire::DecodeInput(message);
  if (!record.ok()) return CheckRefusal(record.status());
  v1::SceneInput again;
  wire::EncodeInput(*record, again);
  const absl::StatusOr<InputRecord> back = wire::DecodeInput(again);
  TALUS_CHECK(back.ok());
  v1::SceneInput third;
  wire::EncodeInput(*back, third);
  TALUS_CHECK(third.SerializeAsString() == again.SerializeAsString());
  World world = MakeSmallWorld();
  const uint64_t before = world.state_hash();
  const absl::Status changed = std::visit(Change{world}, record->input);
  if (!changed.ok()) {
    CheckRefusal(changed);
    // A failed call changes nothing; of steps those that were made stay.
    if (!std::holds_alternative<StepsMade>(record->input))
      TALUS_CHECK(world.state_hash() == before);
  }
  const absl::Status stepped = StepFew(world, {});
  if (!stepped.ok()) CheckRefusal(stepped);
  CheckSnapshotOf(world);
}

void FeedStepRequest(std::string_view text) {
  v1::StepRequest message;
  if (!ReadText(text, message)) return;
  const absl::StatusOr<StepCall> call = rpc::DecodeStep(message);
  if (!call.ok()) return CheckRefusal(call.status());
  World world = MakeSmallWorld();
  if (call->actuation.has_value()) {
    const uint64_t before = world.state_hash();
    const auto targets = world.FindActuators(call->actuation->actuators);
    if (!targets.ok()) return CheckRefusal(targets.status());
    const absl::Status driven = world.Actuate(*targets, call->actuation->values);
    if (!driven.ok()) {
      CheckRefusal(driven);
      TALUS_CHECK(world.state_hash() == before);
    }
  }
  const absl::Status stepped = StepFew(world, {});
  if (!stepped.ok()) CheckRefusal(stepped);
  CheckSnapshotOf(world);
}

void FeedControl(std::string_view text) {
  v1::ControlRequest message;
  if (!ReadText(text, message)) return;
  World world = MakeSmallWorld();
  ActuatorTargets targets;
  if (message.has_open()) {
    const auto options = rpc::DecodeControlOpen(message.open(), "ipv4:127.0.0.1:1", Limits());
    if (!options.ok()) return CheckRefusal(options.status());
    const absl::Status valid = ValidateControl(*options);
    if (!valid.ok()) return CheckRefusal(valid);
    absl::StatusOr<ActuatorTargets> found = world.FindActuators(options->actuators);
    if (!found.ok()) return CheckRefusal(found.status());
    targets = *std::move(found);
  }
  const ControlCall call = rpc::DecodeControlStep(message.step());
  if (!call.values.empty()) {
    const uint64_t before = world.state_hash();
    const absl::Status driven = world.Actuate(targets, call.values);
    if (!driven.ok()) {
      CheckRefusal(driven);
      TALUS_CHECK(world.state_hash() == before);
    }
  }
  const absl::Status stepped = StepFew(world, {});
  if (!stepped.ok()) CheckRefusal(stepped);
}

void FeedStepUntil(std::string_view text) {
  constexpr int64_t kMostSteps = 1000;
  v1::StepUntilRequest message;
  if (!ReadText(text, message)) return;
  const absl::StatusOr<StepCall> call = rpc::DecodeStepUntil(message, kMostSteps);
  if (!call.ok()) return CheckRefusal(call.status());
  TALUS_CHECK(call->until.has_value());
  const absl::Status valid = ValidateStopCondition(*call->until);
  if (!valid.ok()) return CheckRefusal(valid);
  World world = MakeSmallWorld();
  absl::StatusOr<StopWatch> watch = StopWatch::Start(*call->until, world);
  if (!watch.ok()) return CheckRefusal(watch.status());
  // Only what was asked for ends a call.
  for (int round = 0; round < 3; ++round) {
    const StopReason reason = watch->Look(world);
    TALUS_CHECK(reason != StopReason::kTime || call->until->time_s.has_value());
    TALUS_CHECK(reason != StopReason::kRest || call->until->rest.has_value());
    TALUS_CHECK(reason != StopReason::kContact || call->until->contact.has_value());
    if (reason != StopReason::kNone) return;
    TALUS_CHECK(StepFew(world, {}).ok());
  }
}

void FeedSceneFile(std::string_view text) {
  const auto file = cli::ParseSceneFile("fuzz.json", std::string(text));
  if (!file.ok()) {
    TALUS_CHECK(!file.error().message.empty());
    return;
  }
  absl::StatusOr<SceneDef> scene = wire::DecodeScene(file->spec, "spec");
  if (!scene.ok()) return CheckRefusal(scene.status());
  CheckRoundTrip(*scene);
  const absl::Status valid = World::Create(*scene).status();
  if (!valid.ok()) CheckRefusal(valid);
}

}  // namespace talus::fuzz
