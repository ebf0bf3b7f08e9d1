// What a disturber asks for and must not get, and the lease it takes without using it.
#include <grpcpp/generic/generic_stub.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <future>
#include <limits>
#include <thread>

#include "tests/system/chaos/disturber.h"
#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {

using std::chrono::milliseconds;

void Disturber::HoldLease(Dice& dice) {
  v1::ControlRequest opening;
  opening.mutable_open()->set_scene(SceneName(DrawAny(dice)));
  opening.mutable_open()->set_holder("disturber " + std::to_string(number_));
  opening.mutable_open()->set_take_over(dice.Once(2));
  opening.mutable_open()->set_max_wait_s(0.01 + 0.2 * dice.Draw01());
  Manner manner = DrawManner(dice);
  const bool polite = dice.Once(2);
  const int64_t held_ms = dice.Draw(0, 150);
  caller_.Make("Control", manner, [&](grpc::ClientContext& context, ServiceStubs& stubs) {
    const auto stream = stubs.simulation.Control(&context);
    v1::ControlResponse response;
    if (stream->Write(opening) && stream->Read(&response)) {
      std::this_thread::sleep_for(milliseconds(held_ms));
    }
    if (polite) {
      stream->WritesDone();
    } else {
      context.TryCancel();
    }
    while (stream->Read(&response)) {
    }
    return stream->Finish();
  });
}

void Disturber::AskInVain(Dice& dice) {
  const std::string scene = SceneName(DrawAny(dice));
  v1::StepRequest request;
  request.set_scene(scene);
  request.set_step_count(dice.Draw(1, 100));
  request.set_expected_step_index(int64_t{1} << 40);
  Manner manner = DrawManner(dice);
  v1::StepResponse response;
  MustFail("Step", caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), request,
                                &response, manner));
  // Under a lease that never was.
  Manner leased = DrawManner(dice);
  leased.lease = "nobody's";
  request.clear_expected_step_index();
  MustFail("Step", caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), request,
                                &response, leased));
  v1::RemoveBodiesRequest remove;
  remove.set_scene(scene);
  remove.add_body_names("ball0");
  remove.add_body_names("nobody");
  v1::RemoveBodiesResponse removed;
  MustFail("RemoveBodies", caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, RemoveBodies), remove,
                                        &removed, DrawManner(dice)));
  v1::RestoreSnapshotRequest restore;
  restore.set_scene(scene);
  restore.set_snapshot("snapshots/nothing");
  v1::RestoreSnapshotResponse restored;
  MustFail("RestoreSnapshot",
           caller_.Call(TALUS_CHAOS_CALL(snapshot, SnapshotService, RestoreSnapshot), restore,
                        &restored));
}

void Disturber::SendBadFields(Dice& dice) {
  const std::string any = DrawAny(dice);
  const double bad = dice.Once(2) ? std::nan("") : std::numeric_limits<double>::infinity();
  v1::AddBodiesRequest add;
  add.set_scene(SceneName(any));
  *add.add_bodies() = DrawBall(dice, "bad");
  add.mutable_bodies(0)->mutable_position_world_m()->set_x(bad);
  v1::AddBodiesResponse added;
  MustFail("AddBodies",
           caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, AddBodies), add, &added));
  v1::UpdateBodiesRequest update;
  update.set_scene(SceneName(any));
  *update.add_updates() = DrawUpdate(dice, "ball0");
  *update.add_updates() = DrawUpdate(dice, "plate");
  v1::BodyUpdate& wrong = *update.mutable_updates(1);
  if (dice.Once(2)) {
    wrong.mutable_update_mask()->add_paths(dice.Once(2) ? "shapes" : "position_world_m.x");
  } else {
    wrong.mutable_values()->mutable_angular_velocity_world_rad_s()->set_x(bad);
    wrong.mutable_update_mask()->add_paths("angular_velocity_world_rad_s");
  }
  v1::UpdateBodiesResponse updated;
  MustFail("UpdateBodies",
           caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, UpdateBodies), update, &updated));
  v1::StepRequest step;
  step.set_scene(SceneName(any));
  DrawDrive(dice, &step);
  switch (dice.Draw(0, 3)) {
    case 0:
      step.set_values(0, bad);
      break;
    case 1:
      step.add_values(1.0);
      break;
    case 2:
      step.mutable_actuators(0)->set_name("nobody");
      break;
    default:
      step.set_step_count(-1);
  }
  v1::StepResponse stepped;
  MustFail("Step", caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, Step), step,
                                &stepped, DrawManner(dice)));
  v1::ResetSceneRequest reset;
  reset.set_scene("scenes/../" + any);
  v1::ResetSceneResponse back;
  MustFail("ResetScene",
           caller_.Call(TALUS_CHAOS_CALL(simulation, SimulationService, ResetScene), reset, &back));
  v1::SolveContactProblemRequest solve;
  solve.set_file(dice.DrawBytes(dice.Draw(0, 2000)));
  v1::SolveContactProblemResponse solved;
  MustFail("SolveContactProblem",
           caller_.Call(TALUS_CHAOS_CALL(analysis, AnalysisService, SolveContactProblem), solve,
                        &solved, DrawManner(dice)));
  v1::CreateSceneRequest create;
  create.set_scene_id(NameOwn("bad", dice));
  create.set_snapshot_data(dice.DrawBytes(dice.Draw(0, 5000)));
  v1::CreateSceneResponse created;
  MustFail("CreateScene", caller_.Call(TALUS_CHAOS_CALL(scene, SceneService, CreateScene), create,
                                       &created, DrawManner(dice)));
}

// Bytes that are no message, to any method and to some that are not there.
void Disturber::SendNonsense(Dice& dice) {
  static constexpr std::array<const char*, 11> kMethods = {
      "/talus.v1.SimulationService/Step",
      "/talus.v1.SimulationService/Control",
      "/talus.v1.SceneService/CreateScene",
      "/talus.v1.SceneService/AddBodies",
      "/talus.v1.SceneService/ImportModel",
      "/talus.v1.StreamService/WatchState",
      "/talus.v1.SnapshotService/UploadSnapshot",
      "/talus.v1.RecordingService/ReplayInputs",
      "/talus.v1.QueryService/GetState",
      "/talus.v1.Nothing/Step",
      "/no-method"};
  const char* method = kMethods[static_cast<size_t>(dice.Draw(0, kMethods.size() - 1))];
  // A first byte that begins no field.
  const std::string bytes = '\x07' + dice.DrawBytes(dice.Draw(0, 20000));
  Manner manner = DrawManner(dice);
  manner.nonsense = true;
  const auto make = [&](grpc::ClientContext& context, ServiceStubs& stubs) {
    grpc::GenericStub stub(stubs.channel);
    grpc::Slice slice(bytes);
    grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer response;
    std::promise<grpc::Status> ended;
    stub.UnaryCall(&context, method, {}, &request, &response,
                   [&](const grpc::Status& status) { ended.set_value(status); });
    return ended.get_future().get();
  };
  const grpc::Status status = caller_.Make("(nonsense)", manner, make);
  // gRPC hands a message of a stream that it cannot read on as the stream's end, and a Control that
  // ends before it begins is none.
  if (method != kMethods[1]) MustFail(method, status);
}

// A socket of its own: half a greeting, half a frame, or noise; then it goes, or waits a little.
void Disturber::SendRawBytes(Dice& dice) {
  const int raw = OpenSocket(caller_.address());
  if (raw < 0) return;
  std::string bytes = dice.Once(3) ? "" : "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  if (dice.Once(2)) bytes.resize(static_cast<size_t>(dice.Draw(0, bytes.size())));
  bytes += dice.DrawBytes(dice.Draw(0, 300));
  (void)!::send(raw, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (dice.Once(2)) ::shutdown(raw, SHUT_WR);
  std::this_thread::sleep_for(milliseconds(dice.Draw(0, 200)));
  if (dice.Once(2)) {
    // A reset in the place of an end.
    const linger at_once{1, 0};
    ::setsockopt(raw, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  }
  ::close(raw);
}

}  // namespace talus::chaos
