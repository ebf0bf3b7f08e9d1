// Rays come from the wire as they were sent, and hits go there as columns.
#include "server/wire/ray_codec.h"

#include <gtest/gtest.h>

#include <cmath>

namespace talus::wire {
namespace {

TEST(RayCodecTest, DecodesRaysAndWhatTheyPassThrough) {
  v1::CastRaysRequest request;
  v1::Ray& first = *request.add_rays();
  first.mutable_origin_world_m()->set_y(-0.25);
  first.mutable_direction_world()->set_z(-8.0);
  first.set_max_distance_m(2.5);
  request.add_rays()->mutable_direction_world()->set_x(1e-300);
  request.add_ignored_body_ids(7);
  const auto query = DecodeRayQuery(request);
  ASSERT_TRUE(query.ok()) << query.status();
  ASSERT_EQ(query->rays.size(), 2u);
  EXPECT_EQ(query->rays[0].origin, Vec3(0, -0.25, 0));
  EXPECT_EQ(query->rays[0].direction, -Vec3::UnitZ());
  EXPECT_EQ(query->rays[0].reach_m, 2.5);
  EXPECT_EQ(query->rays[1].direction, Vec3::UnitX());
  EXPECT_TRUE(std::isinf(query->rays[1].reach_m));
  EXPECT_EQ(query->ignored, std::vector<BodyId>{BodyId{7}});
}

TEST(RayCodecTest, ADistanceOfZeroIsNoUnsetOne) {
  v1::CastRaysRequest request;
  request.add_rays()->mutable_direction_world()->set_x(1.0);
  EXPECT_TRUE(DecodeRayQuery(request).ok());
  request.mutable_rays(0)->set_max_distance_m(0.0);
  EXPECT_EQ(DecodeRayQuery(request).status().message(), "rays[0].max_distance_m = 0 must be > 0");
}

TEST(RayCodecTest, EncodesHitsAndMissesAsColumns) {
  RayHit hit;
  hit.hit = true;
  hit.contact = {1.5, Vec3(1, 2, 3), -Vec3::UnitY()};
  hit.body = BodyId{4};
  hit.shape = 2;
  v1::RayHitColumns columns;
  EncodeRayHits({RayHit{}, hit}, columns);
  ASSERT_EQ(columns.distances_m_size(), 2);
  EXPECT_TRUE(std::isinf(columns.distances_m(0)));
  EXPECT_EQ(columns.body_ids(0), 0u);
  EXPECT_EQ(columns.distances_m(1), 1.5);
  EXPECT_EQ(columns.body_ids(1), 4u);
  EXPECT_EQ(columns.shapes(1), 2u);
  ASSERT_EQ(columns.points_world_m_size(), 6);
  ASSERT_EQ(columns.normals_world_size(), 6);
  EXPECT_EQ(columns.points_world_m(0), 0.0);
  EXPECT_EQ(columns.points_world_m(5), 3.0);
  EXPECT_EQ(columns.normals_world(4), -1.0);
}

}  // namespace
}  // namespace talus::wire
