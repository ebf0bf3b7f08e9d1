// A Step whose answer is to tell of some bodies only: they are looked up before anything is done.
#include <gmock/gmock.h>

#include "server/session/error.h"
#include "tests/support/ring.h"

namespace talus {
namespace {

using testing::Answer;
using ::testing::ElementsAre;
using testing::FallingBalls;
using testing::Stage;
using testing::Steps;

class SelectedStep : public ::testing::Test {
 protected:
  static absl::StatusOr<StepAnswer> Step(SceneActor& scene, BodySelection bodies,
                                         const std::string& request_id = "") {
    StepCall call = Steps(3);
    call.bodies = std::move(bodies);
    call.request_id = request_id;
    Answer<StepAnswer> answer;
    scene.Step(call, nullptr, answer.Done());
    return answer.Get();
  }

  Stage stage_;
};

TEST_F(SelectedStep, FindsBodiesByIdAndName) {
  const auto scene = stage_.MakeActor(FallingBalls(4));
  const auto step = Step(*scene, {.ids = {4, 2}});
  ASSERT_TRUE(step.ok()) << step.status();
  ASSERT_NE(step->bodies, nullptr);
  EXPECT_THAT(*step->bodies->FindRows(*step->frame->layout), ElementsAre(1u, 3u));
  EXPECT_EQ(Step(*scene, {}).value().bodies, nullptr) << "none selected: all";
}

TEST_F(SelectedStep, ABodyThatIsNotThereIsAnErrorAndNoStepIsMade) {
  const auto scene = stage_.MakeActor(FallingBalls(2));
  const uint64_t hash = scene->info().state_hash;
  const absl::Status missing = Step(*scene, {.names = {"nobody"}}).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound) << missing;
  EXPECT_EQ(FindErrorInfo(missing).value, "\"nobody\"");
  const absl::Status senseless = Step(*scene, {.every_kth_row = -1}).status();
  EXPECT_EQ(FindErrorInfo(senseless).field, "bodies.every_kth_row");
  EXPECT_EQ(senseless.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(scene->info().step_index, 0);
  EXPECT_EQ(scene->info().state_hash, hash);
}

TEST_F(SelectedStep, ARepeatForOtherBodiesIsAnotherRequest) {
  const auto scene = stage_.MakeActor(FallingBalls(2));
  ASSERT_TRUE(Step(*scene, {.ids = {1}}, "r").ok());
  const auto repeat = Step(*scene, {.ids = {1}}, "r");
  ASSERT_TRUE(repeat.ok());
  EXPECT_THAT(*repeat->bodies->FindRows(*repeat->frame->layout), ElementsAre(0u));
  for (const BodySelection& other :
       {BodySelection{.ids = {2}}, BodySelection{}, BodySelection{.every_kth_row = 1}}) {
    EXPECT_EQ(FindErrorInfo(Step(*scene, other, "r").status()).reason,
              ErrorReason::kRequestIdReused);
  }
  EXPECT_EQ(scene->info().step_index, 3);
}

}  // namespace
}  // namespace talus
