// SimulationService.Step through the C++ client: counted, checked, idempotent, cancellable between
// any two steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <thread>

#include "tests/integration/cpp/live_server.h"
#include "tests/support/wait_until.h"

namespace talus::client::testing {
namespace {

class Stepping : public LiveServerTest {
 protected:
  void SetUp() override { StartServer({"--workers", "2", "--mailbox-depth", "4"}); }

  StepOptions WithReport() {
    StepOptions options;
    options.selection = SelectAll();
    return options;
  }
  // Steps without end on a thread of its own.
  std::future<Result<v1::StepResponse>> StepForever(Scene scene, StepOptions options = {}) {
    options.call.timeout =
        options.call.timeout == milliseconds{60000} ? milliseconds{0} : options.call.timeout;
    return std::async(std::launch::async,
                      [scene, options]() mutable { return scene.Step(kEndless, options); });
  }

  // Waits until so many calls wait for the scene.
  void AwaitWaiting(const Scene& scene, int count) {
    v1::GetDiagnosticsRequest request;
    request.set_scene(scene.name());
    EXPECT_TRUE(talus::testing::WaitUntil([&] {
      auto answer = client().GetDiagnostics(request);
      EXPECT_TRUE(answer);
      return !answer || answer->mailbox_depth() == count;
    })) << "there were never "
        << count << " calls waiting";
  }
};

TEST_F(Stepping, IsDoneWhenTheAnswerComes) {
  Scene scene = Create("ball", FallingBall());
  auto response = scene.Step(4, WithReport());
  ASSERT_TRUE(response);
  EXPECT_EQ(response->steps_done(), 4);
  EXPECT_EQ(response->frame().bodies().positions_world_m(2), 98.75);
  EXPECT_EQ(response->frame().report().energy().kinetic_translation_j(), 16);
  EXPECT_EQ(scene.Info()->step_index(), 4);
}

TEST_F(Stepping, ChecksTheExpectedIndexAndChangesNothingOtherwise) {
  Scene scene = Create("ball", FallingBall());
  StepOptions options;
  options.expected_step_index = 0;
  ASSERT_TRUE(scene.Step(2, options));
  const uint64_t hash = Hash(scene);
  auto refused = scene.Step(2, options);
  EXPECT_EQ(Outcome(refused), "FAILED_PRECONDITION ERROR_REASON_STEP_INDEX_MISMATCH");
  EXPECT_EQ(refused.error().detail.step_index(), 2);
  EXPECT_EQ(Hash(scene), hash);
  EXPECT_EQ(Outcome(scene.Step(-1)), kInvalidField);
  EXPECT_EQ(Outcome(scene.Step(kEndless + 1)), kLimit);
  EXPECT_EQ(Hash(scene), hash);
}

TEST_F(Stepping, IsDoneOnceForOneRequestId) {
  Scene scene = Create("ball", FallingBall());
  StepOptions options = WithReport();
  options.request_id = "tick";
  auto first = scene.Step(3, options);
  auto again = scene.Step(3, options);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->frame().state_hash(), again->frame().state_hash());
  EXPECT_EQ(scene.Info()->step_index(), 3);
  EXPECT_EQ(Outcome(scene.Step(4, options)), "INVALID_ARGUMENT ERROR_REASON_REQUEST_ID_REUSED");
}

TEST_F(Stepping, DrivesWhatItIsTold) {
  Scene scene = Create("ball", FallingBall());
  StepOptions options = WithReport();
  v1::Actuator push;
  push.set_kind(v1::ACTUATOR_KIND_BODY_WRENCH);
  push.set_name("ball");
  options.actuators = {push};
  options.values = {2, 0, 16, 0, 0, 0};  // against its weight, and 1 m/s^2 along x
  auto driven = scene.Step(8, options);
  ASSERT_TRUE(driven) << driven.error().ToString();
  EXPECT_EQ(driven->frame().bodies().linear_velocities_world_m_s(0), 1);
  EXPECT_EQ(driven->frame().bodies().linear_velocities_world_m_s(2), 0);
  EXPECT_EQ(scene.Step(8, WithReport())->frame().bodies().linear_velocities_world_m_s(0), 2)
      << "the load acts until it is set again";
  options.values.pop_back();
  EXPECT_EQ(Outcome(scene.Step(1, options)), kInvalidField);
}

TEST_F(Stepping, KeepsTheProblemOfAStepWhenItIsTold) {
  Scene scene = Create("stones", PouringStones(20));
  v1::GetStepProblemRequest request;
  request.set_scene(scene.name());
  ASSERT_TRUE(scene.Step(100));
  EXPECT_EQ(Outcome(client().GetStepProblem(request)), kNotFound);
  StepOptions options;
  options.problem_capture = v1::PROBLEM_CAPTURE_ALWAYS;
  ASSERT_TRUE(scene.Step(1, options));
  auto kept = client().GetStepProblem(request);
  ASSERT_TRUE(kept) << kept.error().ToString();
}

TEST_F(Stepping, EndsBetweenStepsWhenCancelled) {
  Scene scene = Create("stones", PouringStones(50));
  std::stop_source source;
  StepOptions options;
  options.call = {milliseconds{0}, source.get_token()};
  auto running = StepForever(scene, options);
  AwaitStep(scene, 5);
  source.request_stop();
  EXPECT_EQ(running.get().code(), Code::kCancelled);
  // The scene is whole and goes on from where it is. This call waits for what is still under way,
  // so a scene that did not heed the cancellation has made all its steps afterwards.
  EXPECT_TRUE(scene.Step(1));
  const int64_t step = scene.Info()->step_index();
  EXPECT_LT(step, kEndless / 4) << "the cancelled steps were made";
  std::this_thread::sleep_for(milliseconds{100});
  EXPECT_EQ(scene.Info()->step_index(), step) << "something still steps";
  StepOptions next;
  next.expected_step_index = step;
  EXPECT_TRUE(scene.Step(1, next));
}

TEST_F(Stepping, EndsBetweenStepsAtItsDeadline) {
  // One stone: steps far shorter than the margin before the deadline, also under a sanitizer, so
  // that the answer leaves the server before the client's own timer rings.
  Scene scene = Create("stones", PouringStones(1));
  StepOptions options;
  options.call.timeout = milliseconds{400};
  auto late = scene.Step(kEndless, options);
  // On a machine busy enough the client's timer rings first all the same; then it is asked again.
  for (int i = 0; i < 19 && late.code() == Code::kDeadlineExceeded; ++i) {
    if (late.error().detail.reason() != v1::ERROR_REASON_UNSPECIFIED) break;
    late = scene.Step(kEndless, options);
  }
  EXPECT_EQ(Outcome(late), "DEADLINE_EXCEEDED ERROR_REASON_DEADLINE");
  EXPECT_GT(late.error().detail.steps_done(), 0);
  StepOptions next;
  next.expected_step_index = late.error().detail.step_index();
  EXPECT_TRUE(scene.Step(1, next));
}

TEST_F(Stepping, EndsWhenTheSceneIsDeleted) {
  Scene scene = Create("stones", PouringStones(50));
  auto running = StepForever(scene);
  AwaitStep(scene, 5);
  auto waiting = StepForever(scene);
  ASSERT_TRUE(scene.Delete());
  auto ended = running.get();
  EXPECT_EQ(Outcome(ended), "ABORTED ERROR_REASON_SCENE_DELETED");
  EXPECT_GT(ended.error().detail.steps_done(), 5);
  // The second may have come after the deletion.
  const std::string outcome = Outcome(waiting.get());
  EXPECT_TRUE(outcome == "ABORTED ERROR_REASON_SCENE_DELETED" || outcome == kNotFound) << outcome;
}

TEST_F(Stepping, RefusesMoreThanTheMailboxHoldsAndSaysWhenToRetry) {
  Scene scene = Create("stones", PouringStones(50));
  std::stop_source source;
  StepOptions options;
  options.call = {milliseconds{0}, source.get_token()};
  std::vector<std::future<Result<v1::StepResponse>>> calls;
  calls.push_back(StepForever(scene, options));
  AwaitStep(scene, 5);  // from here on it is running and no longer waiting
  for (int i = 0; i < 11; ++i) calls.push_back(StepForever(scene, options));
  AwaitWaiting(scene, 4);
  auto refused = scene.Step(1);
  EXPECT_EQ(Outcome(refused), "RESOURCE_EXHAUSTED ERROR_REASON_MAILBOX_FULL");
  EXPECT_GT(refused.error().detail.retry_after_ms(), 0);
  EXPECT_TRUE(scene.State()) << "reads are not held up by waiting changes";
  // Those that found no place are answered at once; a call that comes after the stop is not
  // refused.
  const auto answered = [&calls] {
    return std::count_if(calls.begin(), calls.end(), [](const auto& call) {
      return call.wait_for(milliseconds{0}) == std::future_status::ready;
    });
  };
  EXPECT_TRUE(talus::testing::WaitUntil([&] { return answered() == 11 - 4; }));
  source.request_stop();
  int full = 0;
  for (auto& call : calls) {
    const std::string outcome = Outcome(call.get());
    full += outcome == "RESOURCE_EXHAUSTED ERROR_REASON_MAILBOX_FULL" ? 1 : 0;
  }
  EXPECT_EQ(full, 11 - 4);
}

TEST_F(Stepping, StopsAtAStateOutOfAllBoundsAndKeepsTheLastGoodOne) {
  v1::SceneSpec spec = FallingBall();
  spec.mutable_settings()->set_time_step_s(1);
  spec.mutable_settings()->mutable_gravity_world_m_s2()->set_z(-1e6);
  Scene scene = Create("runaway", spec);
  auto fault = scene.Step(10'000);
  ASSERT_EQ(Outcome(fault), "FAILED_PRECONDITION ERROR_REASON_SCENE_FAULTED");
  auto info = scene.Info();
  ASSERT_TRUE(info);
  EXPECT_FALSE(info->fault().empty());
  EXPECT_GT(info->step_index(), 0);
  EXPECT_TRUE(scene.State());
  EXPECT_EQ(Outcome(scene.Step(1)), "FAILED_PRECONDITION ERROR_REASON_SCENE_FAULTED");
  EXPECT_EQ(scene.Info()->state_hash(), info->state_hash());
}

TEST_F(Stepping, GivesTheSameBitsWithAnyNumberOfThreads) {
  Scene scene = Create("stones", PouringStones(50));
  auto here = scene.Step(200);
  ASSERT_TRUE(here);
  for (const char* workers : {"1", "3", "7"}) {
    ASSERT_EQ(StopServer(), 0);
    StartServer({"--workers", workers});
    auto there = Create("stones", PouringStones(50)).Step(200);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->frame().state_hash(), here->frame().state_hash()) << workers;
  }
}

TEST_F(Stepping, AnswersTellOfTheBodiesThatWereAskedFor) {
  v1::SceneSpec spec = FallingBall();
  *spec.add_bodies() = spec.bodies(0);
  spec.mutable_bodies(0)->set_name("first");
  spec.mutable_bodies(1)->set_name("second");
  spec.mutable_bodies(1)->mutable_position_world_m()->set_x(5.0);
  Scene scene = Create("a", spec);
  StepOptions options = WithReport();
  options.bodies.add_names("second");
  const auto step = scene.Step(1, options);
  ASSERT_TRUE(step) << step.error().ToString();
  ASSERT_EQ(step->frame().selected_rows().rows_size(), 1);
  EXPECT_EQ(step->frame().selected_rows().rows(0), 1u);
  ASSERT_EQ(step->frame().bodies().positions_world_m_size(), 3);
  EXPECT_EQ(step->frame().bodies().positions_world_m(0), 5.0);
  options.bodies.add_names("third");
  EXPECT_EQ(Outcome(scene.Step(1, options)), kNotFound);
  EXPECT_EQ(scene.Info()->step_index(), 1);
}

}  // namespace
}  // namespace talus::client::testing
