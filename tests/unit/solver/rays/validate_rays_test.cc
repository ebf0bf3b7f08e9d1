// What rays may be, and what is said of those that may not.
#include "solver/rays/validate_rays.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "solver/base/field_error.h"

namespace talus {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string RefusalOf(RayQuery query) {
  const absl::Status status = ValidateRays(query);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(GetFieldError(status).has_value());
  return std::string(status.message());
}

std::string RefusalOfFourth(const Ray& ray) {
  RayQuery query{std::vector<Ray>(5), {}};
  query.rays[3] = ray;
  return RefusalOf(query);
}

TEST(ValidateRaysTest, DirectionsOfAnyLengthAreMadeUnit) {
  for (const double length : {5e-324, 1e-200, 0.1, 3.0, 1e200, 1e308}) {
    RayQuery query{{{Vec3::Zero(), length * Vec3::UnitY(), kInfinite}}, {}};
    ASSERT_TRUE(ValidateRays(query).ok());
    EXPECT_EQ(query.rays[0].direction, Vec3::UnitY());
  }
  RayQuery slanted{{{Vec3::Zero(), Vec3(3, 0, 4), 1e-300}}, {}};
  ASSERT_TRUE(ValidateRays(slanted).ok());
  EXPECT_NEAR((slanted.rays[0].direction - Vec3(0.6, 0, 0.8)).norm(), 0.0, 1e-16);
}

TEST(ValidateRaysTest, NamesWhatIsWrongWithARay) {
  const Vec3 x = Vec3::UnitX();
  EXPECT_EQ(RefusalOfFourth({Vec3::Zero(), Vec3::Zero(), kInfinite}),
            "rays[3].direction_world = (0, 0, 0) must not be zero");
  EXPECT_EQ(RefusalOfFourth({Vec3::Zero(), Vec3(0, kNone, 0), kInfinite}),
            "rays[3].direction_world = (0, nan, 0) must be finite");
  EXPECT_EQ(RefusalOfFourth({Vec3(0, kInfinite, 0), x, kInfinite}),
            "rays[3].origin_world_m.y = inf must be finite");
  EXPECT_EQ(RefusalOfFourth({Vec3(0, 0, -2e9), x, kInfinite}),
            "rays[3].origin_world_m.z = -2e+09 must be in [-1e+09, 1e+09]");
  for (const double reach : {0.0, -1.0, -kInfinite, kNone}) {
    EXPECT_EQ(RefusalOfFourth({Vec3::Zero(), x, reach}),
              "rays[3].max_distance_m = " + FormatValue(reach) + " must be > 0");
  }
}

TEST(ValidateRaysTest, ListsHaveALength) {
  EXPECT_EQ(RefusalOf({}), "size(rays) = 0 must be in [1, 10000]");
  EXPECT_EQ(RefusalOf({std::vector<Ray>(10'001), {}}), "size(rays) = 10001 must be in [1, 10000]");
  EXPECT_EQ(RefusalOf({std::vector<Ray>(1), std::vector<BodyId>(10'001)}),
            "size(ignored_body_ids) = 10001 must be in [0, 10000]");
  RayQuery most{std::vector<Ray>(10'000), std::vector<BodyId>(10'000)};
  EXPECT_TRUE(ValidateRays(most).ok());
}

}  // namespace
}  // namespace talus
