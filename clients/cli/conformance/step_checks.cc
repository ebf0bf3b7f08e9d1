// Steps: as many as asked for, done when the answer says so, told once; conditions that end them;
// and scenes that step on their own.
#include <thread>

#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

Verdict CountsAreExact(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  int64_t index = 0;
  for (const int64_t count : {1, 2, 7, 100, 1000}) {
    auto stepped = ground.Step(*scene, count);
    TALUS_DEMAND_OK(stepped);
    index += count;
    TALUS_DEMAND(stepped->steps_done() == count, "asked for " + std::to_string(count) +
                                                     " steps, told of " +
                                                     std::to_string(stepped->steps_done()));
    TALUS_DEMAND(stepped->frame().step_index() == index,
                 "the answer is at step " + std::to_string(stepped->frame().step_index()) +
                     " instead of " + std::to_string(index));
  }
  auto unset = ground.Step(*scene, 0);
  TALUS_DEMAND_OK(unset);
  TALUS_DEMAND(unset->steps_done() == 1, "a step_count of 0 is not one step");
  return Verdict::Pass();
}

// An answer that comes before the last step would show an older state to whoever reads after it.
Verdict AnsweredWhenDone(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  for (int round = 1; round <= 20; ++round) {
    auto stepped = ground.Step(*scene, 10);
    TALUS_DEMAND_OK(stepped);
    auto info = ground.Scene(*scene);
    TALUS_DEMAND_OK(info);
    TALUS_DEMAND(info->step_index() == 10 * round,
                 "after the answer to step " + std::to_string(10 * round) + " GetScene tells " +
                     std::to_string(info->step_index()));
    TALUS_DEMAND(info->state_hash() == stepped->frame().state_hash(),
                 "GetScene after the answer tells another state");
    v1::GetStateRequest read;
    read.set_scene(*scene);
    auto state = ground.client().GetState(read, ground.call());
    TALUS_DEMAND_OK(state);
    TALUS_DEMAND(state->frame().step_index() == 10 * round &&
                     state->frame().state_hash() == stepped->frame().state_hash(),
                 "GetState after the answer reads an older state");
  }
  return Verdict::Pass();
}

Verdict TheBallFalls(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  TALUS_DEMAND_OK(ground.Step(*scene, 100));
  v1::GetStateRequest read;
  read.set_scene(*scene);
  auto state = ground.client().GetState(read, ground.call());
  TALUS_DEMAND_OK(state);
  // Of n steps of length h under g the ball is lower by g h^2 n (n + 1) / 2.
  const double expected = 1.0 - 9.81 * 0.005 * 0.005 * 100 * 101 / 2;
  const auto& positions = state->frame().bodies().positions_world_m();
  TALUS_DEMAND(positions.size() == 3, "the state has not one position");
  TALUS_DEMAND(std::abs(positions.Get(2) - expected) < 1e-9,
               "the ball is at z = " + std::to_string(positions.Get(2)) + " instead of " +
                   std::to_string(expected));
  return Verdict::Pass();
}

Verdict BitsRepeat(Ground& ground) {
  uint64_t hash = 0;
  for (int round = 0; round < 2; ++round) {
    auto scene = ground.MakeScene(BallAboveFloor());
    TALUS_DEMAND_OK(scene);
    TALUS_DEMAND_OK(ground.Step(*scene, 150));
    auto stepped = ground.Step(*scene, 50);
    TALUS_DEMAND_OK(stepped);
    TALUS_DEMAND(round == 0 || stepped->frame().state_hash() == hash,
                 "the same scene came to another state");
    hash = stepped->frame().state_hash();
  }
  return Verdict::Pass();
}

Verdict ExpectedIndexGuards(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::StepRequest request = StepsOf(*scene, 5);
  request.set_expected_step_index(0);
  TALUS_DEMAND_OK(ground.client().Step(request, ground.call()));
  auto again = ground.client().Step(request, ground.call());
  TALUS_DEMAND_ERROR(again, kFailedPrecondition, v1::ERROR_REASON_STEP_INDEX_MISMATCH);
  TALUS_DEMAND(again.error().detail.step_index() == 5, "the error does not tell the step index");
  return Verdict::Pass();
}

Verdict RequestIdRepeats(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::StepRequest request = StepsOf(*scene, 5);
  request.set_request_id(ground.NewId());
  auto first = ground.client().Step(request, ground.call());
  TALUS_DEMAND_OK(first);
  auto second = ground.client().Step(request, ground.call());
  TALUS_DEMAND_OK(second);
  TALUS_DEMAND(second->frame().step_index() == first->frame().step_index(), "a repeat stepped on");
  request.set_step_count(6);
  TALUS_DEMAND_ERROR(ground.client().Step(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_REQUEST_ID_REUSED);
  return Verdict::Pass();
}

Verdict ConditionsEndSteps(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  v1::StepUntilRequest request;
  request.set_scene(*scene);
  request.mutable_until()->set_time_s(0.1);
  auto timed = ground.client().StepUntil(request, ground.call());
  TALUS_DEMAND_OK(timed);
  TALUS_DEMAND(
      timed->stop_reason() == v1::STOP_REASON_TIME && timed->step().frame().step_index() == 20,
      "0.1 s of 5 ms are not 20 steps");
  request.mutable_until()->clear_time_s();
  request.mutable_until()->mutable_contact()->set_body_a("ball");
  auto touched = ground.client().StepUntil(request, ground.call());
  TALUS_DEMAND_OK(touched);
  // It falls 0.9 m, which takes 0.43 s.
  const int64_t index = touched->step().frame().step_index();
  TALUS_DEMAND(touched->stop_reason() == v1::STOP_REASON_CONTACT && index > 80 && index < 92,
               "the ball touched the floor at step " + std::to_string(index));
  request.mutable_until()->clear_contact();
  request.mutable_until()->mutable_rest();
  auto rested = ground.client().StepUntil(request, ground.call());
  TALUS_DEMAND_OK(rested);
  TALUS_DEMAND(rested->stop_reason() == v1::STOP_REASON_REST, "the ball did not come to rest");
  request.mutable_until()->clear_rest();
  request.mutable_until()->set_time_s(1e6);
  request.set_step_count(3);
  auto counted = ground.client().StepUntil(request, ground.call());
  TALUS_DEMAND_OK(counted);
  TALUS_DEMAND(
      counted->stop_reason() == v1::STOP_REASON_STEP_COUNT && counted->step().steps_done() == 3,
      "step_count did not end it");
  return Verdict::Pass();
}

Verdict BatchAnswersEach(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::BatchStepRequest request;
  *request.add_steps() = StepsOf(*scene, 3);
  *request.add_steps() = StepsOf("scenes/" + ground.NewId(), 1);
  *request.add_steps() = StepsOf(*scene, 4);
  auto batch = ground.client().BatchStep(request, ground.call());
  TALUS_DEMAND_OK(batch);
  TALUS_DEMAND(batch->results_size() == 3, "not one result a request");
  TALUS_DEMAND(batch->results(0).step().steps_done() == 3, "the first was not stepped");
  TALUS_DEMAND(batch->results(1).error().detail().reason() == v1::ERROR_REASON_NOT_FOUND,
               "the unknown scene is not NOT_FOUND");
  TALUS_DEMAND(batch->results(2).step().frame().step_index() == 7, "the last is not at step 7");
  return Verdict::Pass();
}

Verdict RunAndPause(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::RunRequest run;
  run.set_scene(*scene);
  run.set_real_time_factor(1.0);
  TALUS_DEMAND_OK(ground.client().Run(run, ground.call()));
  auto running = ground.Scene(*scene);
  TALUS_DEMAND_OK(running);
  TALUS_DEMAND(running->run().running(), "GetScene does not tell that it runs");
  TALUS_DEMAND_ERROR(ground.Step(*scene, 1), kFailedPrecondition, v1::ERROR_REASON_SCENE_RUNNING);
  v1::PauseRequest pause;
  pause.set_scene(*scene);
  auto paused = ground.client().Pause(pause, ground.call());
  TALUS_DEMAND_OK(paused);
  TALUS_DEMAND(!paused->scene().run().running(), "it runs after Pause");
  const int64_t index = paused->scene().step_index();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  auto later = ground.Scene(*scene);
  TALUS_DEMAND_OK(later);
  TALUS_DEMAND(later->step_index() == index, "it stepped on after Pause");
  auto stepped = ground.Step(*scene, 1);
  TALUS_DEMAND_OK(stepped);
  TALUS_DEMAND(stepped->frame().step_index() == index + 1, "a Step after Pause is not the next");
  return Verdict::Pass();
}

// A long Step is seen from outside and stopped by its caller.
Verdict LongStepCanBeFollowed(Ground& ground) {
  auto scene = ground.MakeScene(BallHeap());
  TALUS_DEMAND_OK(scene);
  std::stop_source stop;
  client::CallOptions options = ground.call();
  options.stop = stop.get_token();
  const int64_t most = ground.info().limits().steps_per_call();
  client::Code code = client::Code::kOk;
  std::thread stepping([&] {
    code =
        ground.client().Step(StepsOf(*scene, std::min<int64_t>(most, 1'000'000)), options).code();
  });
  int64_t seen = 0;
  v1::WatchStateRequest watch;
  watch.set_scene(*scene);
  auto frames = ground.client().WatchState(watch, ground.call());
  while (const auto frame = frames.Read()) {
    seen = frame->frame().step_index();
    if (seen >= 3) break;
  }
  stop.request_stop();
  stepping.join();
  TALUS_DEMAND(seen >= 3, "a watcher saw no step of a Step under way");
  TALUS_DEMAND(code == client::Code::kCancelled, std::string("it ended with ") + CodeName(code));
  // It ends between two steps, and the scene serves the next.
  auto next = ground.Step(*scene, 1);
  TALUS_DEMAND_OK(next);
  TALUS_DEMAND(next->steps_done() == 1, "the scene does not step after a cancelled Step");
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListStepChecks() {
  return {
      {"steps",
       "counts_are_exact",
       CountsAreExact,
       {"STEP_SIMULATION_SINGLE", "STEP_SIMULATION_MULTIPLE"}},
      {"steps",
       "answered_when_done",
       AnsweredWhenDone,
       {"STEP_SIMULATION_MULTIPLE", "ENTITY_STATE_GETTING"}},
      {"steps", "the_ball_falls", TheBallFalls, {"ENTITY_STATE_GETTING"}},
      {"steps", "bits_repeat", BitsRepeat},
      {"steps", "expected_index_guards", ExpectedIndexGuards},
      {"steps", "request_id_repeats", RequestIdRepeats},
      {"steps", "conditions_end_steps", ConditionsEndSteps},
      {"steps", "batch_answers_each", BatchAnswersEach},
      {"steps",
       "run_and_pause",
       RunAndPause,
       {"SIMULATION_STATE_GETTING", "SIMULATION_STATE_SETTING", "SIMULATION_STATE_PAUSE"}},
      {"steps", "a_long_step_can_be_followed", LongStepCanBeFollowed, {"STEP_SIMULATION_ACTION"}}};
}

}  // namespace talus::cli::conformance
