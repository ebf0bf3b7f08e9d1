// The reasons of talus.v1.ErrorReason that no other area meets on its way. What cannot be brought
// about from outside is skipped with why.
//
// Elsewhere: DUPLICATE_NAME (scenes), STEP_INDEX_MISMATCH and SCENE_RUNNING (steps), LEASE_HELD,
// LEASE_LOST and DEADLINE_MISSED (control), SLOW_WATCHER (streams), STORAGE and RECORDING_RUNNING
// (storage).
#include <algorithm>
#include <atomic>
#include <thread>

#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

int64_t MostSteps(Ground& ground) { return ground.info().limits().steps_per_call(); }

Verdict InvalidField(Ground& ground) {
  v1::SceneSpec spec = FallingBall();
  spec.mutable_bodies(0)->set_mass_kg(-2.0);
  auto made = ground.MakeScene(spec);
  TALUS_DEMAND_ERROR(made, kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  const v1::ErrorDetail& detail = made.error().detail;
  TALUS_DEMAND(
      detail.field() == "spec.bodies[0].mass_kg" && detail.value() == "-2" &&
          !detail.allowed().empty(),
      "the detail does not name field, value and what is allowed: " + detail.ShortDebugString());
  return Verdict::Pass();
}

Verdict BadSnapshot(Ground& ground) {
  v1::CreateSceneRequest request;
  request.set_snapshot_data("this is no snapshot");
  TALUS_DEMAND_ERROR(ground.client().CreateScene(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_BAD_SNAPSHOT);
  return Verdict::Pass();
}

Verdict RequestIdReused(Ground& ground) {
  v1::CreateSceneRequest request;
  request.set_scene_id(ground.NewId());
  request.set_request_id(ground.NewId());
  *request.mutable_spec() = FallingBall();
  auto made = ground.client().CreateScene(request, ground.call());
  TALUS_DEMAND_OK(made);
  ground.Own(made->scene().scene());
  TALUS_DEMAND_OK(ground.client().CreateScene(request, ground.call()));
  request.set_scene_id(ground.NewId());
  TALUS_DEMAND_ERROR(ground.client().CreateScene(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_REQUEST_ID_REUSED);
  return Verdict::Pass();
}

Verdict NotFound(Ground& ground) {
  TALUS_DEMAND_ERROR(ground.Step("scenes/" + ground.NewId(), 1), kNotFound,
                     v1::ERROR_REASON_NOT_FOUND);
  return Verdict::Pass();
}

Verdict SceneFaulted(Ground& ground) {
  v1::SceneSpec spec = FallingBall();
  spec.mutable_bodies(0)->set_mass_kg(1e-6);
  auto scene = ground.MakeScene(spec);
  TALUS_DEMAND_OK(scene);
  v1::StepRequest request = StepsOf(*scene, 1);
  *request.add_actuators() = PushBall();
  for (int i = 0; i < 6; ++i) request.add_values(i == 0 ? 1e12 : 0.0);
  TALUS_DEMAND_ERROR(ground.client().Step(request, ground.call()), kFailedPrecondition,
                     v1::ERROR_REASON_SCENE_FAULTED);
  auto info = ground.Scene(*scene);
  TALUS_DEMAND_OK(info);
  TALUS_DEMAND(!info->fault().empty() && info->step_index() == 0,
               "the scene does not tell its fault, or did not keep its last good state");
  TALUS_DEMAND_ERROR(ground.Step(*scene, 1), kFailedPrecondition, v1::ERROR_REASON_SCENE_FAULTED);
  return Verdict::Pass();
}

Verdict LimitReached(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  auto stepped = ground.Step(*scene, MostSteps(ground) + 1);
  TALUS_DEMAND_ERROR(stepped, kResourceExhausted, v1::ERROR_REASON_LIMIT_REACHED);
  TALUS_DEMAND(stepped.error().detail.limit_name() == "steps_per_call" &&
                   stepped.error().detail.limit_value() == MostSteps(ground),
               "the detail does not name the limit");
  return Verdict::Pass();
}

Verdict MailboxFull(Ground& ground) {
  constexpr int64_t kLargestBatch = 1024;
  const int64_t depth = ground.info().limits().mailbox_depth();
  if (depth + 8 > kLargestBatch) return Verdict::Skip("mailbox_depth is beyond what a batch fills");
  auto scene = ground.MakeScene(BallHeap());
  TALUS_DEMAND_OK(scene);
  v1::BatchStepRequest request;
  // The first holds the scene while the others come.
  for (int64_t i = 0; i < kLargestBatch; ++i)
    *request.add_steps() = StepsOf(*scene, i == 0 ? std::min<int64_t>(500, MostSteps(ground)) : 1);
  auto batch = ground.client().BatchStep(request, ground.call());
  TALUS_DEMAND_OK(batch);
  for (const v1::BatchStepResult& result : batch->results()) {
    if (result.error().detail().reason() != v1::ERROR_REASON_MAILBOX_FULL) continue;
    TALUS_DEMAND(result.error().detail().retry_after_ms() > 0, "no hint when to try again");
    return Verdict::Pass();
  }
  return Verdict::Fail("of 1024 steps of one scene at once none was refused");
}

Verdict Deadline(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  client::Result<v1::StepResponse> stepped = client::Error{};
  int64_t begin = 0;
  // The server answers a little before the deadline. Where a busy machine is later than that, the
  // caller's own clock has ended the call, and tells no reason.
  for (int attempt = 0; attempt < 5; ++attempt) {
    // It comes after what is left of the attempt before.
    auto one = ground.Step(*scene, 1);
    TALUS_DEMAND_OK(one);
    begin = one->frame().step_index();
    stepped = ground.client().Step(StepsOf(*scene, MostSteps(ground)),
                                   ground.Within(std::chrono::milliseconds(500)));
    const bool told =
        stepped.ok() || stepped.error().detail.reason() != v1::ERROR_REASON_UNSPECIFIED;
    if (told) break;
  }
  TALUS_DEMAND_ERROR(stepped, kDeadlineExceeded, v1::ERROR_REASON_DEADLINE);
  const v1::ErrorDetail& detail = stepped.error().detail;
  TALUS_DEMAND(begin + detail.steps_done() == detail.step_index(),
               "steps_done is not where the scene is");
  auto info = ground.Scene(*scene);
  TALUS_DEMAND_OK(info);
  TALUS_DEMAND(info->step_index() == detail.step_index(), "the scene stepped on after the answer");
  return Verdict::Pass();
}

Verdict Cancelled(Ground& ground) {
  auto scene = ground.MakeScene(BallHeap());
  TALUS_DEMAND_OK(scene);
  std::stop_source stop;
  client::CallOptions options = ground.call();
  options.stop = stop.get_token();
  client::Code code = client::Code::kOk;
  std::thread stepping(
      [&] { code = ground.client().Step(StepsOf(*scene, MostSteps(ground)), options).code(); });
  stop.request_stop();
  stepping.join();
  TALUS_DEMAND(code == client::Code::kCancelled, std::string("it ended with ") + CodeName(code));
  TALUS_DEMAND_OK(ground.Step(*scene, 1));
  return Verdict::Pass();
}

Verdict SceneDeleted(Ground& ground) {
  auto scene = ground.MakeScene(BallHeap());
  TALUS_DEMAND_OK(scene);
  client::Result<v1::StepResponse> stepped = client::Error{};
  std::atomic<bool> over = false;
  std::thread stepping([&] {
    stepped = ground.client().Step(StepsOf(*scene, MostSteps(ground)), ground.call());
    over = true;
  });
  // Not before it is under way: a scene that is gone already is NOT_FOUND.
  client::Result<v1::SceneInfo> info = ground.Scene(*scene);
  while (!over && info && info->step_index() == 0) info = ground.Scene(*scene);
  v1::DeleteSceneRequest request;
  request.set_scene(*scene);
  const auto deleted = ground.client().DeleteScene(request, ground.call());
  stepping.join();
  TALUS_DEMAND_OK(deleted);
  TALUS_DEMAND_ERROR(stepped, kAborted, v1::ERROR_REASON_SCENE_DELETED);
  TALUS_DEMAND(stepped.error().detail.steps_done() > 0, "the steps that were made are not told");
  return Verdict::Pass();
}

Verdict Unauthenticated(Ground& ground) {
  client::Client stranger(ground.address());
  auto info = stranger.GetServerInfo({}, ground.call());
  if (info) return Verdict::Skip("the server asks for no token");
  if (info.code() == client::Code::kUnavailable) {
    return Verdict::Skip("the server speaks TLS, and a stranger has no certificate to look at");
  }
  TALUS_DEMAND_ERROR(info, kUnauthenticated, v1::ERROR_REASON_UNAUTHENTICATED);
  return Verdict::Pass();
}

Verdict ScopeMissing(Ground& ground) {
  if (ground.reader_token().empty()) {
    return Verdict::Skip("needs a token of scope read (--reader-token-file)");
  }
  client::ClientOptions options = ground.options();
  options.access.token = ground.reader_token();
  client::Client reader(ground.address(), options);
  TALUS_DEMAND_OK(reader.GetServerInfo({}, ground.call()));
  v1::CreateSceneRequest request;
  request.set_scene_id(ground.NewId());
  *request.mutable_spec() = FallingBall();
  TALUS_DEMAND_ERROR(reader.CreateScene(request, ground.call()), kPermissionDenied,
                     v1::ERROR_REASON_SCOPE_MISSING);
  return Verdict::Pass();
}

// Refused by gRPC itself, before the server sees it.
Verdict MessageTooLarge(Ground& ground) {
  constexpr int64_t kMib = int64_t{1} << 20;
  const int64_t most = ground.info().limits().message_bytes();
  if (most > 64 * kMib) return Verdict::Skip("message_bytes is beyond what is tried here, 64 MiB");
  client::ClientOptions options = ground.options();
  options.message_mib = most / kMib + 2;
  client::Client sender(ground.address(), options);
  v1::CreateSceneRequest request;
  request.set_snapshot_data(std::string(static_cast<size_t>(most), 'x'));
  TALUS_DEMAND_ERROR(sender.CreateScene(request, ground.call()), kResourceExhausted,
                     v1::ERROR_REASON_UNSPECIFIED);
  return Verdict::Pass();
}

// Reasons that stand for a state a client cannot, or must not, bring a server into.
Verdict Draining(Ground&) { return Verdict::Skip("would end the server; tests/system does"); }
Verdict BadRecording(Ground&) {
  return Verdict::Skip("needs a damaged file in the data directory; tests/integration makes one");
}

}  // namespace

std::vector<Check> ListErrorChecks() {
  return {{"errors", "invalid_field", InvalidField},
          {"errors", "bad_snapshot", BadSnapshot},
          {"errors", "request_id_reused", RequestIdReused},
          {"errors", "not_found", NotFound},
          {"errors", "scene_faulted", SceneFaulted},
          {"errors", "limit_reached", LimitReached},
          {"errors", "mailbox_full", MailboxFull},
          {"errors", "deadline", Deadline},
          {"errors", "cancelled", Cancelled},
          {"errors", "scene_deleted", SceneDeleted},
          {"errors", "unauthenticated", Unauthenticated},
          {"errors", "scope_missing", ScopeMissing},
          {"errors", "message_too_large", MessageTooLarge},
          {"errors", "draining", Draining},
          {"errors", "bad_recording", BadRecording}};
}

}  // namespace talus::cli::conformance
