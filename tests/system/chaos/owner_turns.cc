// What an owner does in one turn.
#include <chrono>
#include <thread>
#include <utility>

#include "tests/system/chaos/owner.h"
#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {

void Owner::TakeTurn(Dice& dice) {
  if (!sound_) return;
  using Turn = void (Owner::*)(Dice&);
  static constexpr Turn kTurns[] = {
      &Owner::StepAndGiveUp, &Owner::StepAndGiveUp,  &Owner::StepAndGiveUp,   &Owner::StepDriven,
      &Owner::StepDriven,    &Owner::StepTwice,      &Owner::RunForAWhile,    &Owner::ControlLocked,
      &Owner::ControlLocked, &Owner::ControlLocked,  &Owner::ControlRealTime, &Owner::ChangeBodies,
      &Owner::MoveBodies,    &Owner::ChangeEmitters, &Owner::ChangeJoints,    &Owner::Reset,
      &Owner::MarkOrRestore, &Owner::Record};
  constexpr int64_t kCount = sizeof(kTurns) / sizeof(kTurns[0]);
  (this->*kTurns[dice.Draw(0, kCount - 1)])(dice);
}

void Owner::StepAndGiveUp(Dice& dice) {
  Manner manner = DrawManner(dice);
  v1::StepRequest step;
  step.set_scene(scene_);
  step.set_step_count(dice.Draw(1, 40));
  step.set_expected_step_index(step_index_);
  const int64_t form = dice.Draw(0, 2);
  if (form == 0) {
    v1::StepResponse response;
    caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), step, &response, manner);
  } else if (form == 1) {
    v1::BatchStepRequest request;
    *request.add_steps() = step;
    v1::BatchStepResponse response;
    caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, BatchStep), request, &response,
                 manner);
  } else {
    v1::StepUntilRequest request;
    request.set_scene(scene_);
    request.set_step_count(step.step_count());
    request.set_expected_step_index(step_index_);
    request.mutable_until()->mutable_rest()->set_for_s(0.05);
    v1::StepUntilResponse response;
    caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, StepUntil), request, &response,
                 manner);
  }
  if (manner.kill_after_ms >= 0 || manner.half_close_after_ms >= 0) {
    last_cut_ = std::chrono::steady_clock::now();
  }
  Settle();
}

void Owner::StepDriven(Dice& dice) {
  v1::StepRequest request;
  request.set_scene(scene_);
  request.set_step_count(dice.Draw(1, 20));
  request.set_expected_step_index(step_index_);
  DrawDrive(dice, &request);
  v1::StepResponse response;
  if (!Insist("Step", [&] {
        return caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), request,
                            &response);
      })) {
    return;
  }
  request.clear_expected_step_index();
  Log({request, response.frame().step_index(), response.frame().state_hash()});
}

void Owner::StepTwice(Dice& dice) {
  v1::StepRequest request;
  request.set_scene(scene_);
  request.set_step_count(dice.Draw(1, 10));
  request.set_request_id(id_ + "-" + std::to_string(next_name_++));
  v1::StepResponse first;
  v1::StepResponse second;
  for (v1::StepResponse* response : {&first, &second}) {
    if (!Insist("Step", [&] {
          return caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), request,
                              response);
        })) {
      return;
    }
  }
  if (first.SerializeAsString() != second.SerializeAsString()) {
    Blame("a repeated Step has another answer");
  }
  Log({StepsTo{}, first.frame().step_index(), first.frame().state_hash()});
}

void Owner::RunForAWhile(Dice& dice) {
  v1::RunRequest request;
  request.set_scene(scene_);
  request.set_step_limit(dice.Draw(1, 200));
  if (dice.Once(2)) request.set_real_time_factor(0.1 + dice.Draw01());
  v1::RunResponse response;
  Insist("Run", [&] {
    return caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Run), request, &response);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(dice.Draw(0, 100)));
  Settle();
}

void Owner::ChangeBodies(Dice& dice) {
  if (bodies_.size() < 4 && !dice.Once(3)) {
    v1::AddBodiesRequest request;
    request.set_scene(scene_);
    bodies_.push_back("extra" + std::to_string(next_name_++));
    *request.add_bodies() = DrawBall(dice, bodies_.back());
    v1::AddBodiesResponse response;
    if (Insist("AddBodies", [&] {
          return caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, AddBodies), request, &response);
        })) {
      LogChange({request});
    }
  } else if (!bodies_.empty()) {
    v1::RemoveBodiesRequest request;
    request.set_scene(scene_);
    request.add_body_names(bodies_.front());
    bodies_.erase(bodies_.begin());
    v1::RemoveBodiesResponse response;
    if (Insist("RemoveBodies", [&] {
          return caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, RemoveBodies), request,
                              &response);
        })) {
      LogChange({request});
    }
  }
}

void Owner::MoveBodies(Dice& dice) {
  v1::UpdateBodiesRequest request;
  request.set_scene(scene_);
  // The ground and the plate too: what lies on them may sleep.
  for (const char* const name : {"ground", "plate", "ball0", "ball2"}) {
    if (dice.Once(2)) *request.add_updates() = DrawUpdate(dice, name);
  }
  v1::UpdateBodiesResponse response;
  if (Insist("UpdateBodies", [&] {
        return caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, UpdateBodies), request,
                            &response);
      })) {
    LogChange({request});
  }
}

void Owner::ChangeEmitters(Dice& dice) {
  if (emitters_.empty()) {
    v1::AddEmittersRequest request;
    request.set_scene(scene_);
    emitters_.push_back("rain" + std::to_string(next_name_++));
    *request.add_emitters() = DrawEmitter(dice, emitters_.back());
    v1::AddEmittersResponse response;
    if (Insist("AddEmitters", [&] {
          return caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, AddEmitters), request,
                              &response);
        })) {
      LogChange({request});
    }
    return;
  }
  v1::RemoveEmittersRequest request;
  request.set_scene(scene_);
  request.add_emitter_names(emitters_.back());
  emitters_.pop_back();
  v1::RemoveEmittersResponse response;
  if (Insist("RemoveEmitters", [&] {
        return caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, RemoveEmitters), request,
                            &response);
      })) {
    LogChange({request});
  }
}

void Owner::ChangeJoints(Dice& dice) {
  if (!HoldsJoints(log_.spec())) return StepDriven(dice);
  if (!linked_) {
    v1::AddJointsRequest request;
    request.set_scene(scene_);
    *request.add_joints() = MakeJoint("second");
    v1::AddJointsResponse response;
    if (Insist("AddJoints", [&] {
          return caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, AddJoints), request, &response);
        })) {
      LogChange({request});
    }
  } else {
    v1::RemoveJointsRequest request;
    request.set_scene(scene_);
    request.add_joint_names("second");
    v1::RemoveJointsResponse response;
    if (Insist("RemoveJoints", [&] {
          return caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, RemoveJoints), request,
                              &response);
        })) {
      LogChange({request});
    }
  }
  linked_ = !linked_;
}

void Owner::Reset(Dice& dice) {
  WaitAfterCut();
  static constexpr v1::ResetScope kScopes[] = {v1::RESET_SCOPE_ALL, v1::RESET_SCOPE_TIME,
                                               v1::RESET_SCOPE_STATE, v1::RESET_SCOPE_SPAWNED};
  const v1::ResetScope scope = kScopes[dice.Draw(0, 3)];
  v1::ResetSceneRequest request;
  request.set_scene(scene_);
  request.add_scopes(scope);
  v1::ResetSceneResponse response;
  if (!Insist("ResetScene", [&] {
        return caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, ResetScene), request,
                            &response);
      })) {
    return;
  }
  if (scope == v1::RESET_SCOPE_ALL || scope == v1::RESET_SCOPE_SPAWNED) {
    bodies_.clear();
    emitters_.clear();
    linked_ = false;
  }
  LogChange({request});
}

void Owner::MarkOrRestore(Dice& dice) {
  if (mark_.empty() || dice.Once(3)) {
    if (!mark_.empty()) {
      v1::DeleteSnapshotRequest old;
      old.set_snapshot("snapshots/" + id_ + "-" + mark_);
      v1::DeleteSnapshotResponse gone;
      const grpc::Status deleted =
          caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, DeleteSnapshot), old, &gone);
      if (!deleted.ok()) Blame("its snapshot is gone: " + deleted.error_message());
    }
    mark_ = "mark" + std::to_string(next_name_++);
    v1::CreateSnapshotRequest request;
    request.set_scene(scene_);
    request.set_snapshot_id(id_ + "-" + mark_);
    v1::CreateSnapshotResponse response;
    if (!Insist("CreateSnapshot", [&] {
          return caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, CreateSnapshot), request,
                              &response);
        })) {
      return;
    }
    marked_bodies_ = bodies_;
    marked_emitters_ = emitters_;
    marked_linked_ = linked_;
    if (response.snapshot().state_hash() != state_hash_) Blame("a snapshot has another hash");
    Log({Marked{mark_}, step_index_, state_hash_});
    return;
  }
  WaitAfterCut();
  v1::RestoreSnapshotRequest request;
  request.set_scene(scene_);
  request.set_snapshot("snapshots/" + id_ + "-" + mark_);
  v1::RestoreSnapshotResponse response;
  if (!Insist("RestoreSnapshot", [&] {
        return caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, RestoreSnapshot), request,
                            &response);
      })) {
    return;
  }
  bodies_ = marked_bodies_;
  emitters_ = marked_emitters_;
  linked_ = marked_linked_;
  LogChange({RestoredTo{mark_}});
}

void Owner::Record(Dice& dice) {
  if (!recording_.empty()) return StopRecording();
  v1::StartRecordingRequest request;
  request.set_scene(scene_);
  request.set_recording_id(id_ + "-" + std::to_string(next_name_++));
  request.mutable_selection()->set_positions(true);
  request.mutable_selection()->set_contacts(dice.Once(2));
  request.set_every_n_steps(dice.Draw(1, 10));
  v1::StartRecordingResponse response;
  // So many at once that a limit may be reached.
  if (Insist(
          "StartRecording",
          [&] {
            return caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, StartRecording),
                                request, &response);
          },
          grpc::StatusCode::RESOURCE_EXHAUSTED)) {
    recording_ = "recordings/" + request.recording_id();
  }
}

void Owner::StopRecording() {
  if (recording_.empty()) return;
  v1::StopRecordingRequest stop;
  stop.set_recording(recording_);
  v1::StopRecordingResponse stopped;
  v1::ReplayInputsRequest replay;
  replay.set_recording(recording_);
  v1::ReplayInputsResponse replayed;
  if (Insist("StopRecording",
             [&] {
               return caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, StopRecording),
                                   stop, &stopped);
             }) &&
      Insist("ReplayInputs", [&] {
        return caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, ReplayInputs), replay,
                            &replayed);
      })) {
    if (replayed.has_mismatch() || replayed.truncated()) {
      Blame("a recording leads elsewhere: " + replayed.ShortDebugString());
    }
  }
  v1::DeleteRecordingRequest request;
  request.set_recording(recording_);
  v1::DeleteRecordingResponse gone;
  recording_.clear();
  Insist("DeleteRecording", [&] {
    return caller_.Call(TALUS_CHAOS_CALL(recording, RecordingService, DeleteRecording), request,
                        &gone);
  });
}

}  // namespace talus::chaos
