// Recorded moments as a folder of VTK files.
#include <gmock/gmock.h>

#include "tests/unit/clients/cli/export/recorded_moments.h"
#include "tests/unit/clients/cli/export/vtk_arrays.h"

namespace talus::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class VtkTargetTest : public ExportTest {
 protected:
  ExportTargetResult Make(const std::string& name, const ExportTables& tables = kAll,
                          bool replace = false) const {
    return MakeVtkTarget({.path = PathOf(name), .replace = replace}, tables);
  }
};

TEST_F(VtkTargetTest, AFileAMomentAndACollectionATable) {
  Export(Make("out"), {recorded_.Make(0), recorded_.Make(10)});
  EXPECT_EQ(CountEntries("out"), 6u) << "two of bodies, two of contacts, two collections";
  for (const std::string name : {"bodies", "contacts"}) {
    const std::string collection = Read("out/" + name + ".pvd");
    for (const auto& [time, file] :
         {std::pair("0", "_000000.vtp"), std::pair("1", "_000001.vtp")}) {
      EXPECT_THAT(collection, HasSubstr(std::string("timestep=\"") + time +
                                        "\" part=\"0\" file=\"" + name + file + "\""));
      EXPECT_TRUE(IsThere("out/" + name + file)) << name << file;
    }
  }
  EXPECT_THAT(ReadArray<double>(Read("out/bodies_000001.vtp"), "TimeValue"), ElementsAre(1.0));
}

TEST_F(VtkTargetTest, BodiesHaveTheirNumbers) {
  const Moment moment = recorded_.Make(1);
  Export(Make("out"), {moment});
  const std::string text = Read("out/bodies_000000.vtp");
  const auto same = [&](const std::string& name, const auto& column) {
    EXPECT_EQ(ReadArray<double>(text, name), std::vector<double>(column.begin(), column.end()))
        << name;
  };
  const v1::BodyColumns& bodies = moment.bodies->bodies();
  same("Points", bodies.positions_world_m());
  same("orientation_wxyz", bodies.orientations_wxyz());
  same("linear_velocity_m_s", bodies.linear_velocities_world_m_s());
  same("angular_velocity_rad_s", bodies.angular_velocities_world_rad_s());
  EXPECT_THAT(ReadArray<int64_t>(text, "body_id"), ElementsAre(1, 7));
  EXPECT_THAT(ReadArray<uint32_t>(text, "kind"), ElementsAre(2u, 1u));
  EXPECT_THAT(ReadArray<double>(text, "radius_m"), ElementsAre(0.0, 0.1));
}

TEST_F(VtkTargetTest, ContactsHaveTheirNumbersAndTheIdsOfTheirBodies) {
  const Moment moment = recorded_.Make(1, {1});
  Export(Make("out"), {moment});
  const std::string text = Read("out/contacts_000000.vtp");
  const auto same = [&](const std::string& name, const auto& column) {
    EXPECT_EQ(ReadArray<double>(text, name), std::vector<double>(column.begin(), column.end()))
        << name;
  };
  const v1::ContactColumns& contacts = moment.contacts->contacts();
  same("Points", contacts.points_world_m());
  same("normal", contacts.normals_world());
  same("gap_m", contacts.gaps_m());
  same("force_n", contacts.forces_world_n());
  same("torque_n_m", contacts.torques_world_n_m());
  same("wrench_contact", contacts.wrenches_contact());
  EXPECT_THAT(ReadArray<int64_t>(text, "body_a_id"), ElementsAre(1));
  EXPECT_THAT(ReadArray<int64_t>(text, "body_b_id"), ElementsAre(7));
  EXPECT_THAT(ReadArray<uint32_t>(text, "mode"), ElementsAre(3u));
  EXPECT_THAT(ReadArray<int64_t>(Read("out/bodies_000000.vtp"), "body_id"), ElementsAre(7))
      << "the body that was chosen";
}

TEST_F(VtkTargetTest, WhatWasNotRecordedIsNoArray) {
  Export(Make("out"), {recorded_.MakeWithoutVelocities(1)});
  const std::string text = Read("out/bodies_000000.vtp");
  EXPECT_THAT(text, HasSubstr("orientation_wxyz"));
  EXPECT_THAT(text, Not(HasSubstr("velocity")));
}

TEST_F(VtkTargetTest, FilesOfOneMomentHaveOneNumber) {
  Moment poor = recorded_.Make(1);
  poor.contacts.reset();
  Export(Make("out"), {poor, recorded_.Make(2)});
  EXPECT_FALSE(IsThere("out/contacts_000000.vtp"));
  EXPECT_TRUE(IsThere("out/contacts_000001.vtp"));
  EXPECT_TRUE(IsThere("out/bodies_000000.vtp"));
  EXPECT_THAT(Read("out/contacts.pvd"), Not(HasSubstr("contacts_000000.vtp")));
}

TEST_F(VtkTargetTest, OnlyTheTablesThatWereAskedFor) {
  Export(Make("out", {.bodies = false, .contacts = true, .diagnostics = false}),
         {recorded_.Make(1)});
  EXPECT_EQ(CountEntries("out"), 2u);
  EXPECT_TRUE(IsThere("out/contacts.pvd"));
}

TEST_F(VtkTargetTest, WithoutAFinishNothingIsLeft) {
  {
    const ExportTargetResult target = Make("out");
    ASSERT_TRUE(target);
    ASSERT_TRUE((*target)->Add(recorded_.Make(1)));
    EXPECT_FALSE(IsThere("out"));
  }
  EXPECT_EQ(CountEntries(), 0u);
}

TEST_F(VtkTargetTest, WhatIsThereIsReplacedOnlyWhereThatWasAsked) {
  Export(Make("out"), {recorded_.Make(1), recorded_.Make(2)});
  const ExportTargetResult refused = Make("out");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.code(), client::Code::kAlreadyExists);
  EXPECT_TRUE(IsThere("out/bodies_000001.vtp"));
  Export(Make("out", kAll, true), {recorded_.Make(1)});
  EXPECT_FALSE(IsThere("out/bodies_000001.vtp")) << "of the export before";
}

TEST_F(VtkTargetTest, APlaceThatIsNoneIsToldWithItsName) {
  const ExportTargetResult refused = Make("none/out");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(PathOf("none/out")));
}

}  // namespace
}  // namespace talus::cli
