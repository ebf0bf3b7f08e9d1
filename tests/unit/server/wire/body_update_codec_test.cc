// Masks and values of updates: read as field masks are, and refused by the path.
#include "server/wire/body_update_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "solver/base/field_error.h"

namespace talus::wire {
namespace {

using Updates = google::protobuf::RepeatedPtrField<v1::BodyUpdate>;

v1::BodyUpdate MakeUpdate(const std::vector<std::string>& paths) {
  v1::BodyUpdate update;
  update.set_body_name("ball");
  v1::BodySpec& values = *update.mutable_values();
  values.mutable_position_world_m()->set_z(2.0);
  values.mutable_orientation_world()->set_x(1.0);
  values.mutable_linear_velocity_world_m_s()->set_y(-3.0);
  values.mutable_angular_velocity_world_rad_s()->set_x(4.0);
  for (const std::string& path : paths) update.mutable_update_mask()->add_paths(path);
  return update;
}

absl::StatusOr<BodyUpdate> DecodeOne(const v1::BodyUpdate& message) {
  Updates messages;
  *messages.Add() = message;
  absl::StatusOr<std::vector<BodyUpdate>> updates = DecodeUpdates(messages);
  if (!updates.ok()) return updates.status();
  return updates->at(0);
}

TEST(BodyUpdateCodec, TakesWhatTheMaskNames) {
  const auto all =
      DecodeOne(MakeUpdate({"angular_velocity_world_rad_s", "position_world_m", "orientation_world",
                            "linear_velocity_world_m_s", "position_world_m"}));
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(std::get<std::string>(all->body), "ball");
  EXPECT_EQ(all->position_world_m, Vec3(0.0, 0.0, 2.0));
  EXPECT_EQ(all->orientation_world->coeffs(), Quat(0.0, 1.0, 0.0, 0.0).coeffs());
  EXPECT_EQ(all->linear_velocity_world_m_s, Vec3(0.0, -3.0, 0.0));
  EXPECT_EQ(all->angular_velocity_world_rad_s, Vec3(4.0, 0.0, 0.0));
  const auto one = DecodeOne(MakeUpdate({"linear_velocity_world_m_s"}));
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->linear_velocity_world_m_s, Vec3(0.0, -3.0, 0.0));
  EXPECT_FALSE(one->position_world_m || one->orientation_world ||
               one->angular_velocity_world_rad_s);
}

TEST(BodyUpdateCodec, WhatIsNamedAndUnsetIsTheDefault) {
  v1::BodyUpdate message =
      MakeUpdate({"position_world_m", "orientation_world", "linear_velocity_world_m_s",
                  "angular_velocity_world_rad_s"});
  message.clear_values();
  const auto update = DecodeOne(message);
  ASSERT_TRUE(update.ok());
  EXPECT_EQ(update->position_world_m, Vec3::Zero().eval());
  EXPECT_EQ(update->orientation_world->coeffs(), Quat::Identity().coeffs());
  EXPECT_EQ(update->linear_velocity_world_m_s, Vec3::Zero().eval());
  EXPECT_EQ(update->angular_velocity_world_rad_s, Vec3::Zero().eval());
}

// Nor would a body of these values be one: only what is named counts.
TEST(BodyUpdateCodec, WhatIsNotNamedIsNotLookedAt) {
  v1::BodyUpdate message = MakeUpdate({"linear_velocity_world_m_s"});
  message.mutable_values()->set_kind(static_cast<v1::BodyKind>(77));
  message.mutable_values()->set_mass_kg(-1.0);
  message.mutable_values()->add_shapes();
  message.mutable_values()->mutable_position_world_m()->set_x(
      std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(DecodeOne(message).ok());
}

TEST(BodyUpdateCodec, RefusesEveryOtherPathByName) {
  for (const std::string path : {"mass_kg", "shapes", "name", "kind", "density_kg_m3",
                                 "inertia_body_kg_m2", "position_world_m.x", "*", "", "nothing"}) {
    const auto refused = DecodeOne(MakeUpdate({"position_world_m", path}));
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument) << path;
    const auto parts = GetFieldError(refused.status());
    ASSERT_TRUE(parts.has_value()) << path;
    EXPECT_EQ(parts->field, "updates[0].update_mask.paths[1]");
    EXPECT_EQ(parts->value, '"' + path + '"');
    EXPECT_EQ(parts->allowed,
              "must be position_world_m, orientation_world, linear_velocity_world_m_s or "
              "angular_velocity_world_rad_s");
  }
}

TEST(BodyUpdateCodec, RefusesAnUpdateOfNobody) {
  v1::BodyUpdate message = MakeUpdate({"position_world_m"});
  message.clear_body_name();
  const auto parts = GetFieldError(DecodeOne(message).status());
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->field, "updates[0].body");
  EXPECT_EQ(parts->allowed, "must be set: body_id or body_name");
}

TEST(BodyUpdateCodec, PassesEveryBit) {
  std::vector<BodyUpdate> updates(3);
  updates[0].body = BodyId{7};
  updates[0].position_world_m = Vec3(0.1, -0.0, 1e-300);
  updates[1].body = "ball";
  updates[1].orientation_world = Quat(0.5, -0.5, 0.5, -0.5);
  updates[1].angular_velocity_world_rad_s = Vec3(1.0 / 3.0, 0.0, 2.0);
  updates[2].body = BodyId{8};
  updates[2].linear_velocity_world_m_s = Vec3::Zero();
  Updates messages;
  for (const BodyUpdate& update : updates) EncodeUpdate(update, *messages.Add());
  const auto back = DecodeUpdates(messages);
  ASSERT_TRUE(back.ok()) << back.status();
  Updates again;
  for (const BodyUpdate& update : *back) EncodeUpdate(update, *again.Add());
  ASSERT_EQ(back->size(), 3u);
  EXPECT_EQ(std::get<BodyId>(back->at(0).body), BodyId{7});
  EXPECT_TRUE(std::signbit(back->at(0).position_world_m->y()));
  EXPECT_EQ(back->at(1).orientation_world->coeffs(), updates[1].orientation_world->coeffs());
  EXPECT_EQ(back->at(2).linear_velocity_world_m_s, Vec3::Zero().eval());
  for (int index = 0; index < 3; ++index) {
    EXPECT_EQ(again[index].SerializeAsString(), messages[index].SerializeAsString());
  }
}

}  // namespace
}  // namespace talus::wire
