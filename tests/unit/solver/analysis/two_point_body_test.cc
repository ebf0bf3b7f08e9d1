// Every field that is out of range is named with its value, and the bounds themselves are let in.
#include "solver/analysis/two_point_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "solver/analysis/rolling_transition.h"
#include "solver/analysis/trough_ball.h"

namespace talus {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TwoPointBody Valid() { return MakeTroughBody(TroughBall{}, Vec3(0.1, -0.1, 0.05)); }

struct Refusal {
  const char* message;  // how it begins
  std::function<void(TwoPointBody&)> change;
};

TEST(TwoPointBody, IsAcceptedWhereValid) {
  EXPECT_TRUE(ValidateTwoPointBody(Valid()).ok());
  // A sharp tip, no friction, no load: all at the ends of their ranges.
  TwoPointBody body = Valid();
  body.contacts[0].rolling_radius_world_m = Mat3::Zero();
  body.contacts[0].sliding_friction = 0.0;
  body.force_world_n = body.torque_world_n_m = Vec3::Zero();
  EXPECT_TRUE(ValidateTwoPointBody(body).ok());
}

TEST(TwoPointBody, RefusalsNameFieldAndValue) {
  const Refusal refusals[] = {
      {"mass_kg = 0 must", [](auto& b) { b.mass_kg = 0.0; }},
      {"mass_kg = nan must", [](auto& b) { b.mass_kg = kNan; }},
      {"inertia_world_kg_m2[0][0] = nan must", [](auto& b) { b.inertia_world_kg_m2(0, 0) = kNan; }},
      {"inertia_world_kg_m2[1][0] = 0.1 must equal its mirror image",
       [](auto& b) { b.inertia_world_kg_m2(1, 0) = 0.1; }},
      {"principal moment 0 of inertia_world_kg_m2 = -1 must",
       [](auto& b) { b.inertia_world_kg_m2(2, 2) = -1.0; }},
      {"principal moment 2 of inertia_world_kg_m2 = 0.9 must be at most the sum of the others",
       [](auto& b) { b.inertia_world_kg_m2(2, 2) = 0.9; }},
      {"force_world_n = (0, inf, 0) must",
       [](auto& b) { b.force_world_n = Vec3(0.0, HUGE_VAL, 0.0); }},
      {"torque_world_n_m = (2e+15, 0, 0) must",
       [](auto& b) { b.torque_world_n_m = Vec3(2e15, 0.0, 0.0); }},
      {"velocity_world_m_s = (nan, 0, 0) must",
       [](auto& b) { b.velocity_world_m_s = Vec3(kNan, 0.0, 0.0); }},
      {"angular_velocity_world_rad_s = (0, 0, 2e+06) must",
       [](auto& b) { b.angular_velocity_world_rad_s = Vec3(0.0, 0.0, 2e6); }},
      {"contacts[1].arm_world_m = (nan, -0, -0) must",
       [](auto& b) { b.contacts[1].arm_world_m.x() = kNan; }},
      {"contacts[1].arm_world_m = (-0, -1, -0) must differ from contacts[0].arm_world_m",
       [](auto& b) { b.contacts[1].arm_world_m = b.contacts[0].arm_world_m; }},
      {"contacts[0].normal_world = (0, 1.1, 0) must be a unit vector",
       [](auto& b) { b.contacts[0].normal_world = Vec3(0.0, 1.1, 0.0); }},
      {"contacts[0].normal_world = (nan, 1, 0) must be a unit vector",
       [](auto& b) { b.contacts[0].normal_world = Vec3(kNan, 1.0, 0.0); }},
      {"contacts[1].normal_world = (1, 0, 0) must not lie along the line",
       [](auto& b) {
         b.contacts[0].arm_world_m = Vec3(1.0, 0.0, 0.0);
         b.contacts[0].rolling_radius_world_m = Mat3::Zero();
       }},
      {"contacts[0].sliding_friction = -0.1 must",
       [](auto& b) { b.contacts[0].sliding_friction = -0.1; }},
      {"contacts[1].rolling_radius_world_m[0][1] = nan must",
       [](auto& b) { b.contacts[1].rolling_radius_world_m(0, 1) = kNan; }},
      {"contacts[1].rolling_radius_world_m * normal_world = (1, 0, 0) must be 0",
       [](auto& b) { b.contacts[1].rolling_radius_world_m = Mat3::Identity(); }},
      {"contacts[0].surface_velocity_world_m_s = (0, 0, nan) must",
       [](auto& b) { b.contacts[0].surface_velocity_world_m_s.z() = kNan; }},
      {"contacts[0].surface_acceleration_world_m_s2 = (0, 0, nan) must",
       [](auto& b) { b.contacts[0].surface_acceleration_world_m_s2.z() = kNan; }},
      {"contacts[0].surface_angular_velocity_world_rad_s = (0, 0, nan) must",
       [](auto& b) { b.contacts[0].surface_angular_velocity_world_rad_s.z() = kNan; }},
      {"slip speed at contacts[0] = 0.5 must be 0",
       [](auto& b) { b.velocity_world_m_s = Vec3(0.0, 0.0, 0.5); }},
      {"slip speed at contacts[1] = 0.5 must be 0",
       [](auto& b) { b.contacts[1].surface_velocity_world_m_s = Vec3(0.0, 0.5, 0.0); }},
  };
  for (const Refusal& refusal : refusals) {
    TwoPointBody body = Valid();
    refusal.change(body);
    const absl::Status status = ValidateTwoPointBody(body);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << refusal.message;
    EXPECT_THAT(std::string(status.message()), ::testing::StartsWith(refusal.message));
    EXPECT_EQ(AnalyzeRollingTransition(body).status(), status);
  }
}

// Two arms of no length leave the centre of mass as the only point.
TEST(TwoPointBody, ArmsAreNotBothZero) {
  TwoPointBody body = Valid();
  for (TwoPointContact& contact : body.contacts) contact.arm_world_m = Vec3::Zero();
  EXPECT_THAT(std::string(ValidateTwoPointBody(body).message()),
              ::testing::StartsWith("contacts[0].arm_world_m = (0, 0, 0) and"));
}

}  // namespace
}  // namespace talus
