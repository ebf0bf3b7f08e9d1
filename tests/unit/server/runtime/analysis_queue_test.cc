#include "server/runtime/analysis_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/ring.h"
#include "tests/support/wait_until.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Answer;

ErrorReason ReasonOf(const absl::Status& status) { return FindErrorInfo(status).reason; }

// Work that waits until it is told to go on, or to stop.
struct HeldWork {
  std::atomic<bool> open{false};
  std::atomic<bool> entered{false};

  AnalysisQueue::Work<int> Pass(int result) {
    return [this, result](const AnalysisQueue::Stop& stop) -> absl::StatusOr<int> {
      entered = true;
      EXPECT_TRUE(testing::WaitUntil([&] { return open.load() || stop(); }));
      return result;
    };
  }
};

class AnalysisQueueTest : public ::testing::Test {
 protected:
  ManualClock clock_;
  HeldWork work_;
};

TEST_F(AnalysisQueueTest, AnswersInOrder) {
  AnalysisQueue queue(clock_, 8);
  std::vector<int> order;
  std::vector<Answer<int>> answers(4);
  for (int i = 0; i < 4; ++i) {
    queue.Submit<int>(
        "a", nullptr,
        [&order, i](const AnalysisQueue::Stop& stop) -> absl::StatusOr<int> {
          EXPECT_FALSE(stop());
          order.push_back(i);
          return i;
        },
        answers[static_cast<size_t>(i)].Done());
  }
  for (int i = 0; i < 4; ++i) EXPECT_EQ(*answers[static_cast<size_t>(i)].Get(), i);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

TEST_F(AnalysisQueueTest, PassesOnWhatTheWorkIsRefusedFor) {
  AnalysisQueue queue(clock_, 1);
  Answer<int> answer;
  queue.Submit<int>(
      "a", nullptr,
      [](const AnalysisQueue::Stop&) -> absl::StatusOr<int> {
        return InvalidFieldError("q", "1", "must be 2");
      },
      answer.Done());
  EXPECT_EQ(ReasonOf(answer.Get().status()), ErrorReason::kInvalidField);
}

TEST_F(AnalysisQueueTest, RefusesMoreThanItHolds) {
  AnalysisQueue queue(clock_, 2);
  std::vector<Answer<int>> answers(3);
  for (Answer<int>& answer : answers) queue.Submit<int>("a", nullptr, work_.Pass(7), answer.Done());
  const absl::Status refused = answers[2].Get().status();
  EXPECT_EQ(ReasonOf(refused), ErrorReason::kLimitReached);
  EXPECT_EQ(FindErrorInfo(refused).limit_name, "analyses");
  EXPECT_EQ(FindErrorInfo(refused).limit_value, 2);
  work_.open = true;
  EXPECT_EQ(*answers[0].Get(), 7);
  EXPECT_EQ(*answers[1].Get(), 7);
  // There is room again once an answer is out.
  ASSERT_TRUE(queue.WaitUntilDrained(testing::kPatience));
  Answer<int> next;
  queue.Submit<int>("a", nullptr, work_.Pass(8), next.Done());
  EXPECT_EQ(*next.Get(), 8);
}

TEST_F(AnalysisQueueTest, WhoIsAnsweredFindsThePlaceFree) {
  AnalysisQueue queue(clock_, 1);
  const AnalysisQueue::Work<int> seven = [](const AnalysisQueue::Stop&) { return 7; };
  Answer<int> next;
  queue.Submit<int>("a", nullptr, seven, [&](const absl::StatusOr<int>& answer) {
    EXPECT_EQ(*answer, 7);
    EXPECT_EQ(queue.held(), 0);
    EXPECT_FALSE(queue.WaitUntilDrained(milliseconds(1))) << "drained before it was answered";
    queue.Submit<int>("a", nullptr, seven, next.Done());
  });
  EXPECT_EQ(*next.Get(), 7);
  EXPECT_TRUE(queue.WaitUntilDrained(testing::kPatience));
}

TEST_F(AnalysisQueueTest, HeedsCancellationWithinTheWorkAndBefore) {
  AnalysisQueue queue(clock_, 2);
  const auto control = std::make_shared<CallControl>();
  const auto waiting = std::make_shared<CallControl>();
  std::vector<Answer<int>> answers(2);
  queue.Submit<int>("a", control, work_.Pass(1), answers[0].Done());
  queue.Submit<int>(
      "a", waiting,
      [](const AnalysisQueue::Stop&) -> absl::StatusOr<int> {
        ADD_FAILURE() << "nobody waits for this";
        return 0;
      },
      answers[1].Done());
  ASSERT_TRUE(testing::WaitUntil([&] { return work_.entered.load(); }));
  waiting->Cancel();
  control->Cancel();
  EXPECT_EQ(ReasonOf(answers[0].Get().status()), ErrorReason::kCancelled);
  EXPECT_EQ(ReasonOf(answers[1].Get().status()), ErrorReason::kCancelled);
}

TEST_F(AnalysisQueueTest, HeedsTheDeadline) {
  AnalysisQueue queue(clock_, 1);
  const auto control = std::make_shared<CallControl>(clock_.Now() + seconds(5));
  Answer<int> answer;
  queue.Submit<int>("a", control, work_.Pass(1), answer.Done());
  ASSERT_TRUE(testing::WaitUntil([&] { return work_.entered.load(); }));
  EXPECT_FALSE(answer.there());
  clock_.Advance(seconds(5));
  EXPECT_EQ(ReasonOf(answer.Get().status()), ErrorReason::kDeadline);
}

TEST_F(AnalysisQueueTest, NobodyWaitsForTheEndOfWhatAnotherAskedFor) {
  AnalysisQueue queue(clock_, 8, milliseconds(1));
  std::vector<Answer<int>> endless(2);
  for (Answer<int>& answer : endless) queue.Submit<int>("a", nullptr, work_.Pass(1), answer.Done());
  ASSERT_TRUE(testing::WaitUntil([&] { return work_.entered.load(); }));
  Answer<int> other;
  queue.Submit<int>(
      "b", nullptr, [](const AnalysisQueue::Stop&) { return 2; }, other.Done());
  EXPECT_EQ(*other.Get(), 2);
  EXPECT_FALSE(endless[0].there());
  // Who asked for it waits in his own line.
  Answer<int> own, again;
  queue.Submit<int>(
      "a", nullptr, [](const AnalysisQueue::Stop&) { return 3; }, own.Done());
  queue.Submit<int>(
      "b", nullptr, [](const AnalysisQueue::Stop&) { return 4; }, again.Done());
  EXPECT_EQ(*again.Get(), 4);
  EXPECT_FALSE(own.there());
  work_.open = true;
  EXPECT_EQ(*own.Get(), 3);
}

TEST_F(AnalysisQueueTest, OneAtATimeIsAtWorkWhoeverAsks) {
  AnalysisQueue queue(clock_, 16, milliseconds(0));
  std::atomic<int> at_work{0};
  std::vector<Answer<int>> answers(8);
  for (size_t k = 0; k < answers.size(); ++k) {
    queue.Submit<int>(
        std::string(1, static_cast<char>('a' + k)), nullptr,
        [&at_work](const AnalysisQueue::Stop& stop) -> absl::StatusOr<int> {
          int most = 0;
          for (int part = 0; part < 100; ++part) {
            most = std::max(most, at_work.fetch_add(1) + 1);
            // Long enough for others to come in between, if they could.
            std::this_thread::sleep_for(std::chrono::microseconds(20));
            at_work.fetch_sub(1);
            EXPECT_FALSE(stop());
          }
          return most;
        },
        answers[k].Done());
  }
  for (Answer<int>& answer : answers) EXPECT_EQ(*answer.Get(), 1);
}

TEST_F(AnalysisQueueTest, NobodyCanTakeAllPlaces) {
  AnalysisQueue queue(clock_, 3);
  std::vector<Answer<int>> greedy(3);
  for (Answer<int>& answer : greedy) queue.Submit<int>("a", nullptr, work_.Pass(1), answer.Done());
  Answer<int> other;
  queue.Submit<int>("b", nullptr, work_.Pass(2), other.Done());
  const absl::Status refused = greedy[2].Get().status();
  EXPECT_EQ(ReasonOf(refused), ErrorReason::kLimitReached);
  EXPECT_EQ(FindErrorInfo(refused).limit_name, "analyses");
  EXPECT_EQ(queue.held(), 3);
  work_.open = true;
  EXPECT_EQ(*other.Get(), 2);
  EXPECT_EQ(*greedy[0].Get(), 1);
  EXPECT_EQ(*greedy[1].Get(), 1);
}

TEST_F(AnalysisQueueTest, DrainCutsShortAndRefuses) {
  AnalysisQueue queue(clock_, 2);
  std::vector<Answer<int>> answers(3);
  queue.Submit<int>("a", nullptr, work_.Pass(1), answers[0].Done());
  queue.Submit<int>("a", nullptr, work_.Pass(1), answers[1].Done());
  ASSERT_TRUE(testing::WaitUntil([&] { return work_.entered.load(); }));
  EXPECT_FALSE(queue.WaitUntilDrained(milliseconds(0)));
  queue.BeginDrain();
  EXPECT_TRUE(queue.WaitUntilDrained(testing::kPatience));
  queue.Submit<int>("a", nullptr, work_.Pass(1), answers[2].Done());
  for (Answer<int>& answer : answers) {
    EXPECT_EQ(ReasonOf(answer.Get().status()), ErrorReason::kDraining);
    EXPECT_EQ(answer.calls(), 1);
  }
  queue.End();
  queue.End();
}

}  // namespace
}  // namespace talus
