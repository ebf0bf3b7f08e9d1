// What is taken while the process has too much memory, by a count that the test sets.
#include "server/session/memory_quota.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "server/session/scene_host.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using std::chrono::milliseconds;
using testing::Answer;
using testing::FallingBalls;
using testing::Steps;

constexpr int64_t kLimit = 1000;

TEST(MemoryQuota, RefusesAboveTheLimitAndSaysByHowMuch) {
  ManualClock clock;
  int64_t resident = kLimit;
  MemoryQuota quota(
      kLimit, [&] { return resident; }, clock);
  EXPECT_TRUE(quota.Admit().ok());
  clock.Advance(MemoryQuota::kSamplePeriod);
  resident = kLimit + 1;
  const absl::Status refused = quota.Admit();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  const ErrorInfo info = FindErrorInfo(refused);
  EXPECT_EQ(info.reason, ErrorReason::kLimitReached);
  EXPECT_EQ(info.limit_name, "memory_bytes");
  EXPECT_EQ(info.limit_value, kLimit);
  EXPECT_EQ(info.value, std::to_string(kLimit + 1));
  clock.Advance(MemoryQuota::kSamplePeriod);
  resident = kLimit;
  EXPECT_TRUE(quota.Admit().ok());
}

TEST(MemoryQuota, AsksTheKernelNoMoreOftenThanItSays) {
  ManualClock clock;
  int asked = 0;
  MemoryQuota quota(
      kLimit, [&] { return ++asked, int64_t{0}; }, clock);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(quota.Admit().ok());
  EXPECT_EQ(asked, 1);
  clock.Advance(MemoryQuota::kSamplePeriod - milliseconds(1));
  EXPECT_TRUE(quota.Admit().ok());
  EXPECT_EQ(asked, 1);
  clock.Advance(milliseconds(1));
  EXPECT_TRUE(quota.Admit().ok());
  EXPECT_EQ(asked, 2);
}

TEST(MemoryQuota, LooksAgainOnceTheAllocatorHasGivenBack) {
  ManualClock clock;
  int asked = 0;
  // As if freed memory had gone with the first look.
  MemoryQuota quota(
      kLimit, [&] { return ++asked % 2 == 1 ? kLimit + 1 : kLimit; }, clock);
  EXPECT_TRUE(quota.Admit().ok());
  EXPECT_EQ(asked, 2);
  clock.Advance(MemoryQuota::kTrimPeriod - milliseconds(1));
  EXPECT_FALSE(quota.Admit().ok()) << "giving back is not asked for that often";
  EXPECT_EQ(asked, 3);
}

TEST(MemoryQuota, WithoutALimitOrAReaderNothingIsRefused) {
  ManualClock clock;
  MemoryQuota no_limit(
      0, [] { return kLimit; }, clock);
  EXPECT_TRUE(no_limit.Admit().ok());
  MemoryQuota no_reader(kLimit, nullptr, clock);
  EXPECT_TRUE(no_reader.Admit().ok());
}

class MemoryAdmission : public ::testing::Test {
 protected:
  void SetUp() override {
    SceneHostOptions options;
    options.limits.memory_bytes = kLimit;
    options.read_resident_bytes = [this] { return resident_.load(); };
    auto host = SceneHost::Open(options, &clock_);
    ASSERT_TRUE(host.ok()) << host.status();
    host_ = *std::move(host);
  }
  void SetResident(int64_t bytes) {
    resident_ = bytes;
    clock_.Advance(MemoryQuota::kSamplePeriod);
  }
  absl::Status Create(const std::string& id, const std::string& request_id = {}) {
    CreateSceneCall call;
    call.scene_id = id;
    call.source = FallingBalls(1);
    call.request_id = request_id;
    Answer<CreateSceneAnswer> answer;
    host_->registry().Create(std::move(call), answer.Done());
    return answer.Get().status();
  }
  absl::Status Fork(const std::string& id) {
    Answer<std::vector<SceneInfo>> answer;
    host_->registry().Fork({"a", {id}, {}}, nullptr, answer.Done());
    return answer.Get().status();
  }
  static void ExpectRefused(const absl::Status& status) {
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(FindErrorInfo(status).limit_name, "memory_bytes");
  }

  ManualClock clock_;
  std::atomic<int64_t> resident_{0};
  std::unique_ptr<SceneHost> host_;
};

TEST_F(MemoryAdmission, WhatAddsIsRefusedAndWhatIsThereStepsOn) {
  ASSERT_TRUE(Create("a", "first").ok());
  const auto scene = *host_->registry().Find("a");
  Answer<SceneSnapshot> snapshot;
  scene->TakeSnapshot(nullptr, snapshot.Done());
  const std::string bytes = snapshot.Get()->bytes;

  SetResident(kLimit + 1);
  ExpectRefused(Create("b"));
  EXPECT_TRUE(Create("a", "first").ok()) << "a repeat makes nothing";
  ExpectRefused(Fork("b"));
  EXPECT_EQ(host_->registry().scene_count(), 1);
  AddBodiesCall more;
  more.bodies = FallingBalls(1).bodies;
  more.bodies[0].name = "more";
  Answer<AddBodiesAnswer> added;
  scene->AddBodies(more, nullptr, added.Done());
  ExpectRefused(added.Get().status());
  Answer<SceneInfo> emitters;
  scene->AddEmitters({}, nullptr, emitters.Done());
  ExpectRefused(emitters.Get().status());
  Answer<AddJointsAnswer> joints;
  scene->AddJoints({}, nullptr, joints.Done());
  ExpectRefused(joints.Get().status());
  Answer<SceneInfo> restored;
  host_->registry().Restore(*host_->registry().Find("a"), bytes, nullptr, restored.Done());
  ExpectRefused(restored.Get().status());
  ExpectRefused(host_->AdmitMemory());

  Answer<StepAnswer> stepped;
  scene->Step(Steps(3), nullptr, stepped.Done());
  EXPECT_TRUE(stepped.Get().ok());
  EXPECT_EQ(scene->info().body_count, 1);
}

TEST_F(MemoryAdmission, WhatWasRefusedIsTakenOnceThereIsRoom) {
  SetResident(kLimit + 1);
  ExpectRefused(Create("a", "again"));
  SetResident(kLimit);
  EXPECT_TRUE(Create("a", "again").ok());
  EXPECT_TRUE(Fork("b").ok());
}

}  // namespace
}  // namespace talus
