// A Step with a request id happens once, however often it is sent.
#include <atomic>
#include <barrier>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "server/runtime/scene_actor.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using testing::FallingBalls;
using testing::Gate;
using testing::HoldAt;
using testing::kEndless;
using testing::Stage;
using testing::Steps;
using Code = absl::StatusCode;

StepCall Repeatable(const std::string& request_id, int64_t steps) {
  StepCall call = Steps(steps);
  call.request_id = request_id;
  return call;
}

TEST(StepRepeatTest, ARepeatGetsTheFirstAnswer) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  Answer<StepAnswer> first;
  scene->Step(Repeatable("a", 5), nullptr, first.Done());
  const auto answer = first.Get();
  ASSERT_TRUE(answer.ok());
  Answer<StepAnswer> other;
  scene->Step(Steps(1), nullptr, other.Done());
  ASSERT_TRUE(other.Get().ok());
  Answer<StepAnswer> repeat;
  scene->Step(Repeatable("a", 5), nullptr, repeat.Done());
  EXPECT_TRUE(repeat.there());  // known, so at once
  const auto again = repeat.Get();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->frame, answer->frame);
  EXPECT_EQ(scene->info().step_index, 6);
}

TEST(StepRepeatTest, AnotherRequestUnderTheSameIdIsRefused) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  Answer<StepAnswer> first;
  scene->Step(Repeatable("a", 5), nullptr, first.Done());
  ASSERT_TRUE(first.Get().ok());
  Answer<StepAnswer> other;
  scene->Step(Repeatable("a", 6), nullptr, other.Done());
  const ErrorInfo info = other.GetError(Code::kInvalidArgument);
  EXPECT_EQ(info.reason, ErrorReason::kRequestIdReused);
  EXPECT_EQ(info.value, "a");
  Answer<StepAnswer> expected;
  StepCall call = Repeatable("a", 5);
  call.expected_step_index = 0;
  scene->Step(call, nullptr, expected.Done());
  EXPECT_EQ(expected.GetError(Code::kInvalidArgument).reason, ErrorReason::kRequestIdReused);
}

TEST(StepRepeatTest, TooLongAnIdIsRefused) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  Answer<StepAnswer> answer;
  scene->Step(Repeatable(std::string(65, 'x'), 1), nullptr, answer.Done());
  EXPECT_EQ(answer.GetError(Code::kInvalidArgument).field, "request_id");
}

TEST(StepRepeatTest, ARepeatJoinsARunningStep) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  Answer<StepAnswer> first;
  Answer<StepAnswer> second;
  scene->Step(Repeatable("a", 5), nullptr, first.Done());
  scene->Step(Repeatable("a", 5), nullptr, second.Done());
  gate->Open();
  const auto a = first.Get();
  const auto b = second.Get();
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->frame, b->frame);
  EXPECT_EQ(scene->info().step_index, 5);
}

TEST(StepRepeatTest, TheStepGoesOnWhileAnybodyWaits) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  auto gone = std::make_shared<CallControl>();
  Answer<StepAnswer> first;
  Answer<StepAnswer> second;
  scene->Step(Repeatable("a", 50), gone, first.Done());
  scene->Step(Repeatable("a", 50), nullptr, second.Done());
  gone->Cancel();
  gate->Open();
  EXPECT_EQ(first.GetError(Code::kCancelled).reason, ErrorReason::kCancelled);
  const auto answer = second.Get();
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->steps_done, 50);
}

TEST(StepRepeatTest, AFailureThatChangedNothingIsNotRemembered) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  Answer<StepAnswer> refused;
  StepCall call = Repeatable("a", 1);
  call.expected_step_index = 1;
  scene->Step(call, nullptr, refused.Done());
  EXPECT_EQ(refused.GetError(Code::kFailedPrecondition).reason, ErrorReason::kStepIndexMismatch);
  Answer<StepAnswer> other;
  scene->Step(Steps(1), nullptr, other.Done());
  ASSERT_TRUE(other.Get().ok());
  Answer<StepAnswer> repeat;
  scene->Step(call, nullptr, repeat.Done());
  EXPECT_TRUE(repeat.Get().ok());
  EXPECT_EQ(scene->info().step_index, 2);
}

TEST(StepRepeatTest, WhoTriesAgainOnceItWasCancelledIsAFirstOneAgain) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  auto gone = std::make_shared<CallControl>();
  Answer<StepAnswer> second;
  scene->Step(Repeatable("a", 5), gone, [&](const absl::StatusOr<StepAnswer>& first) {
    EXPECT_EQ(first.status().code(), Code::kCancelled);
    scene->Step(Repeatable("a", 5), nullptr, second.Done());
  });
  gone->Cancel();
  gate->Open();
  EXPECT_TRUE(second.Get().ok());
  EXPECT_EQ(scene->info().step_index, 5);
}

// A repeat meets the first call as it ends, from another thread: it is either part of it or a first
// one again, and never told that somebody else had cancelled.
TEST(StepRepeatTest, ARepeatIsNeverCancelledByAnother) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  for (int round = 0; round < 500; ++round) {
    const std::string id = std::to_string(round);
    auto gate = std::make_shared<Gate>();
    HoldAt(*scene, gate);
    auto gone = std::make_shared<CallControl>();
    Answer<StepAnswer> first;
    scene->Step(Repeatable(id, 1), gone, first.Done());
    gone->Cancel();
    std::vector<Answer<StepAnswer>> repeats(20);
    std::thread again([&] {
      for (Answer<StepAnswer>& repeat : repeats)
        scene->Step(Repeatable(id, 1), nullptr, repeat.Done());
    });
    gate->Open();
    again.join();
    for (Answer<StepAnswer>& repeat : repeats) ASSERT_TRUE(repeat.Get().ok()) << "round " << round;
    (void)first.Get();
    ASSERT_EQ(scene->info().step_index, round + 1) << "one step for all of them";
  }
}

TEST(StepRepeatTest, AStepCutShortIsRememberedAsSuch) {
  Stage stage;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto control = std::make_shared<CallControl>();
  Answer<StepAnswer> first;
  scene->Step(Repeatable("a", kEndless), control, first.Done());
  // Cancelled once steps were made, so that there is something to remember.
  while (scene->info().step_index == 0) std::this_thread::yield();
  control->Cancel();
  const ErrorInfo info = first.GetError(Code::kCancelled);
  ASSERT_GT(info.steps_done, 0);
  Answer<StepAnswer> repeat;
  scene->Step(Repeatable("a", kEndless), nullptr, repeat.Done());
  EXPECT_EQ(repeat.GetError(Code::kCancelled).steps_done, info.steps_done);
  EXPECT_EQ(scene->info().step_index, info.steps_done);
}

TEST(StepRepeatTest, JoinersAreBoundedToo) {
  Stage stage;
  stage.limits.mailbox_depth = 2;
  auto scene = stage.MakeActor(FallingBalls(1));
  auto gate = std::make_shared<Gate>();
  HoldAt(*scene, gate);
  std::vector<Answer<StepAnswer>> answers(3);
  for (auto& answer : answers) scene->Step(Repeatable("a", 1), nullptr, answer.Done());
  EXPECT_EQ(answers[2].GetError(Code::kResourceExhausted).reason, ErrorReason::kMailboxFull);
  gate->Open();
  EXPECT_TRUE(answers[0].Get().ok());
  EXPECT_TRUE(answers[1].Get().ok());
}

TEST(StepRepeatTest, ManyThreadsSendingTheSameStepMakeItOnce) {
  Stage stage(2);
  auto scene = stage.MakeActor(FallingBalls(1));
  constexpr int kRounds = 40;
  constexpr int kThreads = 4;
  std::atomic<int> failures{0};
  // Together, because a scene remembers its last sixteen answers only: a thread that fell behind
  // would step anew.
  std::barrier together(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int64_t round = 0; round < kRounds; ++round) {
        together.arrive_and_wait();
        Answer<StepAnswer> answer;
        scene->Step(Repeatable("round-" + std::to_string(round), 3), nullptr, answer.Done());
        const auto result = answer.Get();
        if (!result.ok() || result->steps_done != 3) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(scene->info().step_index, 3 * kRounds);
}

}  // namespace
}  // namespace talus
