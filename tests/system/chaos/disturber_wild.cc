// What a disturber does with the scenes that belong to nobody: everything.
#include <thread>

#include "tests/system/chaos/disturber.h"
#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {

using std::chrono::milliseconds;

constexpr char kRobot[] = R"(<robot name="swing">
<link name="base"/>
<link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.2" izz="0.2"/></inertial>
  <collision><origin xyz="0.9 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
<joint name="foot" type="fixed"><parent link="world"/><child link="base"/></joint>
<link name="world"/>
</robot>)";

void Disturber::Make(Dice& dice) {
  v1::CreateSceneRequest request;
  request.set_scene_id(DrawWild(dice));
  if (dice.Once(3) && !kept_data_.empty()) {
    request.set_snapshot_data(kept_data_);
  } else if (dice.Once(4)) {
    request.mutable_urdf()->set_urdf(kRobot);
    *request.mutable_urdf()->mutable_scene() = DrawScene(dice);
  } else {
    *request.mutable_spec() = DrawScene(dice);
  }
  if (dice.Once(3)) request.set_request_id("make-" + std::to_string(dice.Draw(0, 1 << 30)));
  if (dice.Once(3)) request.set_idle_ttl_s(static_cast<double>(dice.Draw(0, 2)));
  v1::CreateSceneResponse response;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, CreateScene), request, &response,
               DrawManner(dice));
}

void Disturber::Delete(Dice& dice) {
  // Not so often that there is nothing left to disturb.
  if (dice.Once(2)) DeleteScene(DrawWild(dice));
  Make(dice);
}

void Disturber::Step(Dice& dice) {
  v1::StepRequest request;
  request.set_scene(SceneName(DrawWild(dice)));
  request.set_step_count(dice.Draw(1, 200));
  if (dice.Once(2)) DrawDrive(dice, &request);
  if (dice.Once(3)) request.set_request_id("step-" + std::to_string(dice.Draw(0, 20)));
  v1::StepResponse response;
  caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), request, &response,
               DrawManner(dice));
  v1::StepUntilRequest until;
  until.set_scene(request.scene());
  until.set_step_count(dice.Draw(1, 100));
  until.mutable_until()->mutable_contact()->set_body_a("ball0");
  v1::StepUntilResponse stopped;
  caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, StepUntil), until, &stopped,
               DrawManner(dice));
}

void Disturber::StepMany(Dice& dice) {
  v1::BatchStepRequest request;
  const int64_t count = dice.Draw(1, 20);
  for (int64_t k = 0; k < count; ++k) {
    v1::StepRequest& step = *request.add_steps();
    step.set_scene(dice.Once(5) ? "nonsense" : SceneName(DrawWild(dice)));
    step.set_step_count(dice.Draw(-1, 20));
  }
  v1::BatchStepResponse response;
  const grpc::Status status =
      caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, BatchStep), request, &response,
                   DrawManner(dice));
  if (status.ok() && response.results_size() != count) {
    caller_.tally().Blame("BatchStep: not one answer for each step");
  }
}

void Disturber::RunPauseReset(Dice& dice) {
  const std::string scene = SceneName(DrawWild(dice));
  v1::RunRequest run;
  run.set_scene(scene);
  run.set_step_limit(dice.Draw(1, 2000));
  if (dice.Once(2)) run.set_real_time_factor(1.0);
  v1::RunResponse running;
  caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Run), run, &running,
               DrawManner(dice));
  if (dice.Once(2)) {
    v1::PauseRequest pause;
    pause.set_scene(scene);
    v1::PauseResponse paused;
    caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Pause), pause, &paused,
                 DrawManner(dice));
  }
  if (dice.Once(2)) {
    v1::ResetSceneRequest reset;
    reset.set_scene(scene);
    reset.add_scopes(static_cast<v1::ResetScope>(dice.Draw(0, 4)));
    v1::ResetSceneResponse back;
    caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, ResetScene), reset, &back,
                 DrawManner(dice));
  }
}

void Disturber::Control(Dice& dice) {
  v1::ControlRequest opening;
  v1::ControlOpen& open = *opening.mutable_open();
  open.set_scene(SceneName(DrawWild(dice)));
  open.set_take_over(dice.Once(2));
  open.set_pacing(static_cast<v1::ControlPacing>(dice.Draw(0, 2)));
  open.set_miss_policy(static_cast<v1::MissPolicy>(dice.Draw(0, 3)));
  if (open.pacing() == v1::CONTROL_PACING_REAL_TIME)
    open.set_period_s(0.001 + 0.01 * dice.Draw01());
  const int64_t count = dice.Draw(0, 40);
  Manner manner = DrawManner(dice);
  if (manner.patient()) manner.cancel_after_ms = dice.Draw(1, 2000);
  const auto make = [&](grpc::ClientContext& context, ServiceStubs& stubs) {
    const auto stream = stubs.simulation.Control(&context);
    v1::ControlResponse response;
    bool whole = stream->Write(opening) && stream->Read(&response);
    // All at once: as deep as the server lets it be, and deeper.
    for (int64_t k = 0; k < count && whole; ++k) {
      v1::ControlRequest request;
      request.mutable_step()->set_step_count(dice.Draw(-1, 5));
      if (dice.Once(10)) request = opening;
      whole = stream->Write(request);
    }
    stream->WritesDone();
    while (stream->Read(&response)) {
    }
    return stream->Finish();
  };
  caller_.Make("Control", manner, make);
}

void Disturber::ChangeBodies(Dice& dice) {
  const std::string scene = SceneName(DrawWild(dice));
  v1::AddBodiesRequest add;
  add.set_scene(scene);
  *add.add_bodies() = DrawBall(dice, "extra" + std::to_string(dice.Draw(0, 5)));
  v1::AddBodiesResponse added;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, AddBodies), add, &added, DrawManner(dice));
  v1::UpdateBodiesRequest update;
  update.set_scene(scene);
  *update.add_updates() = DrawUpdate(dice, "ball" + std::to_string(dice.Draw(0, 5)));
  if (dice.Once(3)) *update.add_updates() = DrawUpdate(dice, "plate");
  v1::UpdateBodiesResponse updated;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, UpdateBodies), update, &updated,
               DrawManner(dice));
  v1::RemoveBodiesRequest remove;
  remove.set_scene(scene);
  remove.add_body_ids(static_cast<uint64_t>(dice.Draw(1, 12)));
  v1::RemoveBodiesResponse removed;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, RemoveBodies), remove, &removed,
               DrawManner(dice));
}

// In chunks of any size, now and then with bytes that somebody has changed: then it is refused, or
// it is another robot.
void Disturber::ImportRobot(Dice& dice) {
  std::string urdf = kRobot;
  for (int64_t change = dice.Draw(0, 2); change > 0; --change) {
    urdf[static_cast<size_t>(dice.Draw(0, static_cast<int64_t>(urdf.size()) - 1))] =
        static_cast<char>(dice.Draw(0, 255));
  }
  v1::ImportModelRequest request;
  request.mutable_model()->set_scene(SceneName(DrawWild(dice)));
  v1::ModelOptions& options = *request.mutable_model()->mutable_options();
  options.set_name("robot" + std::to_string(dice.Draw(0, 3)));
  options.mutable_position_world_m()->set_z(static_cast<double>(dice.Draw(1, 9)));
  options.set_motors(dice.Once(2));
  const auto chunk = static_cast<size_t>(dice.Draw(1, 2000));
  caller_.Make("ImportModel", DrawManner(dice),
               [&](grpc::ClientContext& context, ServiceStubs& stubs) {
                 v1::ImportModelResponse response;
                 const auto stream = stubs.scene.ImportModel(&context, &response);
                 request.set_file_name("robot.urdf");
                 for (size_t at = 0; at < urdf.size(); at += chunk) {
                   request.set_chunk(urdf.substr(at, chunk));
                   if (!stream->Write(request)) break;
                   request.clear_model();
                   request.clear_file_name();
                 }
                 stream->WritesDone();
                 return stream->Finish();
               });
}

void Disturber::ChangeEmittersAndJoints(Dice& dice) {
  const std::string scene = SceneName(DrawWild(dice));
  v1::AddEmittersRequest emitters;
  emitters.set_scene(scene);
  *emitters.add_emitters() = DrawEmitter(dice, "more");
  v1::AddEmittersResponse emitting;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, AddEmitters), emitters, &emitting,
               DrawManner(dice));
  v1::AddJointsRequest joints;
  joints.set_scene(scene);
  *joints.add_joints() = MakeJoint("second");
  v1::AddJointsResponse joined;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, AddJoints), joints, &joined, DrawManner(dice));
  v1::RemoveEmittersRequest no_emitters;
  no_emitters.set_scene(scene);
  no_emitters.add_emitter_names("more");
  v1::RemoveEmittersResponse dry;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, RemoveEmitters), no_emitters, &dry,
               DrawManner(dice));
  v1::RemoveJointsRequest no_joints;
  no_joints.set_scene(scene);
  no_joints.add_joint_names("second");
  v1::RemoveJointsResponse loose;
  caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, RemoveJoints), no_joints, &loose,
               DrawManner(dice));
}

void Disturber::Restore(Dice& dice) {
  const std::string scene = SceneName(DrawWild(dice));
  const std::string id = NameOwn("snap", dice);
  v1::CreateSnapshotRequest request;
  request.set_scene(scene);
  request.set_snapshot_id(id);
  v1::CreateSnapshotResponse response;
  caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, CreateSnapshot), request, &response,
               DrawManner(dice));
  std::this_thread::sleep_for(milliseconds(dice.Draw(0, 50)));
  v1::RestoreSnapshotRequest restore;
  restore.set_scene(scene);
  restore.set_snapshot("snapshots/" + id);
  v1::RestoreSnapshotResponse restored;
  caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, RestoreSnapshot), restore, &restored,
               DrawManner(dice));
  DeleteSnapshot(id);
}

void Disturber::SolveStepProblem(Dice& dice) {
  const std::string scene = SceneName(DrawWild(dice));
  v1::StepRequest step;
  step.set_scene(scene);
  step.set_problem_capture(v1::PROBLEM_CAPTURE_ALWAYS);
  step.set_step_count(dice.Draw(1, 50));
  v1::StepResponse stepped;
  caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), step, &stepped,
               DrawManner(dice));
  v1::GetStepProblemRequest get;
  get.set_scene(scene);
  get.set_file_format(v1::PROBLEM_FILE_FORMAT_JSON);
  v1::GetStepProblemResponse problem;
  const grpc::Status status = caller_.Call(TALUS_CHAOS_CALL(query, QueryService, GetStepProblem),
                                           get, &problem, DrawManner(dice));
  if (!status.ok()) return;
  v1::SolveContactProblemRequest solve;
  solve.set_file(problem.file());
  v1::SolveContactProblemResponse solved;
  caller_.Call(TALUS_CHAOS_CALL(analysis, AnalysisService, SolveContactProblem), solve, &solved,
               DrawManner(dice));
}

}  // namespace talus::chaos
