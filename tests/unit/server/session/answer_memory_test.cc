#include "server/session/answer_memory.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using Shared = SharedAnswer<int>;
using testing::Answer;

TEST(SharedAnswerTest, AnswersAllWhoWaitAndAllWhoComeLater) {
  Shared shared;
  std::vector<Answer<int>> answers(3);
  shared.Join({nullptr, answers[0].Done()});
  shared.Join({nullptr, answers[1].Done()});
  EXPECT_EQ(shared.waiter_count(), 2);
  EXPECT_FALSE(answers[0].there());
  shared.Settle(7);
  shared.Settle(8);
  shared.Join({nullptr, answers[2].Done()});
  for (auto& answer : answers) EXPECT_EQ(*answer.Get(), 7);
}

TEST(SharedAnswerTest, EndsOnlyTheWaitsThatAreOver) {
  Shared shared;
  const Clock::TimePoint now = Clock::TimePoint{} + std::chrono::seconds(10);
  auto cancelled = std::make_shared<CallControl>();
  auto expired = std::make_shared<CallControl>(now);
  auto patient = std::make_shared<CallControl>(now + std::chrono::seconds(1));
  std::vector<Answer<int>> answers(3);
  shared.Join({cancelled, answers[0].Done()});
  shared.Join({expired, answers[1].Done()});
  shared.Join({patient, answers[2].Done()});
  cancelled->Cancel();
  auto end_error = [](WaitEnd end) { return WaitEndError(end, 5, 9); };
  std::vector<std::function<void()>> due;
  EXPECT_FALSE(shared.Sweep(now, end_error, due).has_value());
  for (const auto& give : due) give();
  EXPECT_EQ(answers[0].GetError(absl::StatusCode::kCancelled).steps_done, 5);
  EXPECT_EQ(answers[1].GetError(absl::StatusCode::kDeadlineExceeded).step_index, 9);
  EXPECT_FALSE(answers[2].there());
  due.clear();
  patient->Cancel();
  EXPECT_EQ(shared.Sweep(now, end_error, due), WaitEnd::kCancelled);
  EXPECT_EQ(due.size(), 1u);
}

TEST(SharedAnswerTest, WhatNobodyWaitsForIsGivenUp) {
  Shared shared;
  Answer<int> first;
  shared.Join({nullptr, first.Done()});
  EXPECT_FALSE(shared.GiveUp(std::nullopt)) << "somebody waits";
  Shared forgotten;
  EXPECT_TRUE(forgotten.GiveUp(std::nullopt));
  EXPECT_TRUE(forgotten.settled()) << "it may be forgotten";
  Answer<int> late;
  Waiter<int> waiter{nullptr, late.Done()};
  EXPECT_FALSE(forgotten.TryJoin(waiter));
  EXPECT_FALSE(late.there());
  shared.Join(std::move(waiter));  // as he was
  shared.Settle(7);
  EXPECT_EQ(*first.Get(), 7);
  EXPECT_EQ(*late.Get(), 7);
  Shared kept;
  EXPECT_TRUE(kept.GiveUp(absl::StatusOr<int>(absl::CancelledError("gone"))));
  Answer<int> repeat;
  kept.Join({nullptr, repeat.Done()});
  EXPECT_EQ(repeat.Get().status().code(), absl::StatusCode::kCancelled);
}

AnswerMemory<int>::AnswerPtr Settled(int value) {
  auto answer = std::make_shared<Shared>();
  answer->Settle(value);
  return answer;
}

TEST(AnswerMemoryTest, ForgetsTheLeastRecentlyAskedForFirst) {
  AnswerMemory<int> memory(2);
  memory.Add("a", "fa", Settled(1));
  memory.Add("b", "fb", Settled(2));
  EXPECT_NE(*memory.Find("a", "fa"), nullptr);
  memory.Add("c", "fc", Settled(3));
  EXPECT_EQ(*memory.Find("b", "fb"), nullptr);
  EXPECT_NE(*memory.Find("a", "fa"), nullptr);
  EXPECT_NE(*memory.Find("c", "fc"), nullptr);
  EXPECT_EQ(memory.size(), 2u);
}

TEST(AnswerMemoryTest, KeepsWhatIsStillAwaited) {
  AnswerMemory<int> memory(1);
  auto pending = std::make_shared<Shared>();
  memory.Add("pending", "f", pending);
  memory.Add("b", "f", Settled(2));
  EXPECT_EQ(*memory.Find("pending", "f"), pending);
  memory.Forget(pending);
  EXPECT_EQ(*memory.Find("pending", "f"), nullptr);
}

TEST(AnswerMemoryTest, TellsAnotherRequestFromARepeat) {
  AnswerMemory<int> memory(2);
  memory.Add("a", "this", Settled(1));
  const auto other = memory.Find("a", "that");
  EXPECT_EQ(FindErrorInfo(other.status()).reason, ErrorReason::kRequestIdReused);
}

}  // namespace
}  // namespace talus
