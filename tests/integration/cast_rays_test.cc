// CastRays over the wire: hits, refusals, and a scene that does not notice.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

class CastRaysTest : public ServerTest {
 protected:
  void SetUp() override {
    StartServer();
    CreateScene("a", TenBalls());
    request_.set_scene("scenes/a");
  }

  v1::Ray& AddRay(double x, double y, double z, double down) {
    v1::Ray& ray = *request_.add_rays();
    ray.mutable_origin_world_m()->set_x(x);
    ray.mutable_origin_world_m()->set_y(y);
    ray.mutable_origin_world_m()->set_z(z);
    ray.mutable_direction_world()->set_z(-down);
    return ray;
  }
  Reply<v1::CastRaysResponse> Cast() {
    return Call(*queries_, &v1::QueryService::Stub::CastRays, request_);
  }
  void ExpectRefused(const std::string& field, const std::string& value,
                     const std::string& allowed) {
    const auto reply = Cast();
    EXPECT_TRUE(
        FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
    EXPECT_EQ(reply.detail.field(), field);
    EXPECT_EQ(reply.detail.value(), value);
    EXPECT_EQ(reply.detail.allowed(), allowed);
  }

  v1::CastRaysRequest request_;
};

// Ball i, of body id i + 2, is at (0.7 i, 0.1 i, 0.5 + 0.05 i), radius 0.25.
TEST_F(CastRaysTest, TellsWhatIsHitFirst) {
  AddRay(1.4, 0.2, 9.0, 2.0);
  AddRay(20.0, 0.0, 9.0, 0.5);
  AddRay(20.0, 0.0, 9.0, -1.0);
  AddRay(20.0, 0.0, 9.0, 1.0).set_max_distance_m(8.9);
  AddRay(0.0, 0.0, -3.0, -1.0);
  const auto reply = Cast();
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  const v1::RayHitColumns& hits = reply.response.hits();
  ASSERT_EQ(hits.distances_m_size(), 5);
  ASSERT_EQ(hits.points_world_m_size(), 15);
  ASSERT_EQ(hits.normals_world_size(), 15);
  EXPECT_NEAR(hits.distances_m(0), 9.0 - 0.6 - 0.25, 1e-14);
  EXPECT_EQ(hits.body_ids(0), 4u);
  EXPECT_NEAR(hits.points_world_m(2), 0.85, 1e-14);
  EXPECT_NEAR(hits.normals_world(2), 1.0, 1e-15);
  EXPECT_EQ(hits.distances_m(1), 9.0);
  EXPECT_EQ(hits.body_ids(1), 1u);
  for (const int miss : {2, 3}) {
    EXPECT_TRUE(std::isinf(hits.distances_m(miss)));
    EXPECT_EQ(hits.body_ids(miss), 0u);
  }
  // Below the ground everything is ground.
  EXPECT_EQ(hits.distances_m(4), 0.0);
  EXPECT_EQ(hits.body_ids(4), 1u);
  EXPECT_EQ(hits.normals_world(14), -1.0);
  EXPECT_EQ(reply.response.step_index(), 0);
  EXPECT_GT(reply.response.layout_version(), 0);
}

TEST_F(CastRaysTest, PassesThroughBodiesThatAreIgnored) {
  AddRay(1.4, 0.2, 9.0, 1.0);
  request_.add_ignored_body_ids(4);
  const auto reply = Cast();
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply.response.hits().body_ids(0), 1u);
  request_.add_ignored_body_ids(99);
  const auto missing = Cast();
  EXPECT_TRUE(FailedWith(missing, grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  EXPECT_EQ(missing.detail.field(), "ignored_body_ids[1]");
  EXPECT_EQ(missing.detail.value(), "99");
}

TEST_F(CastRaysTest, LeavesTheSceneAsItIsAndSeesEachStep) {
  CreateScene("unseen", TenBalls());
  AddRay(0.0, 0.0, 9.0, 1.0);
  double last = 0.0;
  for (int round = 1; round <= 4; ++round) {
    const auto reply = Cast();
    ASSERT_TRUE(reply.ok());
    EXPECT_EQ(reply.response.step_index(), 3 * (round - 1));
    EXPECT_GT(reply.response.hits().distances_m(0), last);
    last = reply.response.hits().distances_m(0);
    ASSERT_TRUE(Step("a", 3).ok());
    ASSERT_TRUE(Step("unseen", 3).ok());
    EXPECT_EQ(StateHash("a"), StateHash("unseen"));
  }
}

TEST_F(CastRaysTest, NamesWhatIsWrong) {
  ExpectRefused("size(rays)", "0", "must be in [1, 10000]");
  for (int k = 0; k < 3; ++k) AddRay(0, 0, 1, 1);
  AddRay(0, 0, 1, 0);
  ExpectRefused("rays[3].direction_world", "(0, 0, -0)", "must not be zero");
  request_.mutable_rays(3)->clear_direction_world();
  ExpectRefused("rays[3].direction_world", "(0, 0, 0)", "must not be zero");
  request_.mutable_rays(3)->mutable_direction_world()->set_y(kNotANumber);
  ExpectRefused("rays[3].direction_world", "(0, nan, 0)", "must be finite");
  request_.mutable_rays(3)->mutable_direction_world()->set_y(1.0);
  request_.mutable_rays(3)->mutable_origin_world_m()->set_x(kNotANumber);
  ExpectRefused("rays[3].origin_world_m.x", "nan", "must be finite");
  request_.mutable_rays(3)->mutable_origin_world_m()->set_x(0.0);
  request_.mutable_rays(3)->set_max_distance_m(-1.0);
  ExpectRefused("rays[3].max_distance_m", "-1", "must be > 0");
  request_.mutable_rays(3)->clear_max_distance_m();
  EXPECT_TRUE(Cast().ok());
}

TEST_F(CastRaysTest, TakesTenThousandRaysAndNoMore) {
  for (int k = 0; k < 10'000; ++k) AddRay(0.01 * (k % 100), 0.01 * (k / 100), 9.0, 1.0);
  const auto most = Cast();
  ASSERT_TRUE(most.ok()) << most.status.error_message();
  EXPECT_EQ(most.response.hits().distances_m_size(), 10'000);
  AddRay(0, 0, 9, 1);
  ExpectRefused("size(rays)", "10001", "must be in [1, 10000]");
}

}  // namespace
}  // namespace talus::testing
