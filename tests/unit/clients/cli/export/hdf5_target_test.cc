// Recorded moments as one HDF5 file.
#include <gmock/gmock.h>

#include "tests/unit/clients/cli/export/hdf5_file.h"
#include "tests/unit/clients/cli/export/recorded_moments.h"

namespace talus::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Hdf5TargetTest : public ExportTest {
 protected:
  ExportTargetResult Make(const std::string& name, const ExportTables& tables = kAll,
                          bool replace = false) const {
    return MakeHdf5Target({.path = PathOf(name), .replace = replace}, tables, "recordings/r");
  }
  // The column as the messages have it.
  template <typename Column>
  static std::vector<double> Numbers(const Column& column) {
    return {column.begin(), column.end()};
  }
};

TEST_F(Hdf5TargetTest, RowsOfAMomentLieBetweenItsOffsets) {
  Moment none = recorded_.Make(2, {});
  none.contacts->mutable_contacts()->Clear();
  Export(Make("a.h5"), {recorded_.Make(1), none, recorded_.Make(3, {1})});
  const Hdf5File file(PathOf("a.h5"));
  for (const std::string group : {"/bodies", "/contacts", "/diagnostics"}) {
    EXPECT_THAT(file.Read<int64_t>(group + "/step_index"), ElementsAre(1, 2, 3)) << group;
    EXPECT_THAT(file.Read<double>(group + "/time_s"), ElementsAre(0.1, 0.2, 0.3)) << group;
    EXPECT_THAT(file.Read<uint64_t>(group + "/state_hash"),
                ElementsAre(0xfedcba9876543211u, 0xfedcba9876543212u, 0xfedcba9876543213u))
        << group;
  }
  EXPECT_THAT(file.Read<int64_t>("/bodies/offset"), ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(file.Read<int64_t>("/contacts/offset"), ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(file.Read<int64_t>("/bodies/body_id"), ElementsAre(1, 7, 7));
  EXPECT_FALSE(file.Has("/diagnostics/offset"));
}

TEST_F(Hdf5TargetTest, ColumnsHaveTheBitsOfTheRecording) {
  const Moment moment = recorded_.Make(1);
  Export(Make("a.h5"), {moment});
  const Hdf5File file(PathOf("a.h5"));
  const v1::BodyColumns& bodies = moment.bodies->bodies();
  EXPECT_EQ(file.Read<double>("/bodies/position_m"), Numbers(bodies.positions_world_m()));
  EXPECT_EQ(file.Read<double>("/bodies/orientation_wxyz"), Numbers(bodies.orientations_wxyz()));
  EXPECT_EQ(file.Read<double>("/bodies/linear_velocity_m_s"),
            Numbers(bodies.linear_velocities_world_m_s()));
  EXPECT_EQ(file.Read<double>("/bodies/angular_velocity_rad_s"),
            Numbers(bodies.angular_velocities_world_rad_s()));
  const v1::ContactColumns& contacts = moment.contacts->contacts();
  EXPECT_EQ(file.Read<double>("/contacts/point_m"), Numbers(contacts.points_world_m()));
  EXPECT_EQ(file.Read<double>("/contacts/normal"), Numbers(contacts.normals_world()));
  EXPECT_EQ(file.Read<double>("/contacts/gap_m"), Numbers(contacts.gaps_m()));
  EXPECT_EQ(file.Read<double>("/contacts/force_n"), Numbers(contacts.forces_world_n()));
  EXPECT_EQ(file.Read<double>("/contacts/torque_n_m"), Numbers(contacts.torques_world_n_m()));
  EXPECT_EQ(file.Read<double>("/contacts/wrench_contact"), Numbers(contacts.wrenches_contact()));
  const std::vector<std::pair<const char*, int64_t>> integers = {{"body_a_id", 1}, {"body_b_id", 7},
                                                                 {"shape_a", 2},   {"shape_b", 3},
                                                                 {"feature", 5},   {"mode", 3}};
  for (const auto& [name, value] : integers) {
    EXPECT_THAT(file.Read<int64_t>(std::string("/contacts/") + name), ElementsAre(value)) << name;
  }
  EXPECT_THAT(file.Read<double>("/diagnostics/residual"), ElementsAre(1.0 / 3.0));
  EXPECT_THAT(file.Read<double>("/diagnostics/potential_j"), ElementsAre(2.0 / 3.0));
  EXPECT_THAT(file.Read<double>("/diagnostics/advance_poses_s"), ElementsAre(0.25));
  EXPECT_THAT(file.Read<int64_t>("/diagnostics/outcome"), ElementsAre(1));
  EXPECT_THAT(file.Read<int64_t>("/diagnostics/sweep_count"), ElementsAre(9));
}

TEST_F(Hdf5TargetTest, WhatWasNotRecordedIsAnEmptyColumn) {
  Export(Make("a.h5"), {recorded_.MakeWithoutVelocities(1)});
  const Hdf5File file(PathOf("a.h5"));
  EXPECT_THAT(file.Shape("/bodies/linear_velocity_m_s"), ElementsAre(0, 3));
  EXPECT_THAT(file.Shape("/bodies/position_m"), ElementsAre(2, 3));
}

TEST_F(Hdf5TargetTest, EveryBodyIsNamedOnce) {
  RecordedMoments changing;
  const Moment before = changing.Make(1);
  const ExportTargetResult target = Make("a.h5");
  ASSERT_TRUE(target);
  ASSERT_TRUE((*target)->Add(before));
  ASSERT_TRUE((*target)->Add(before));
  changing.AddBody(9, "", v1::BODY_KIND_CODE_KINEMATIC, 0.0);
  changing.layout.set_layout_version(4);
  ASSERT_TRUE((*target)->Add(changing.Make(2, {0, 1, 2})));
  ASSERT_TRUE((*target)->Finish());
  const Hdf5File file(PathOf("a.h5"));
  EXPECT_THAT(file.Read<int64_t>("/names/body_id"), ElementsAre(1, 7, 9));
  EXPECT_THAT(file.ReadNames("/names/name"), ElementsAre("floor", "ball", ""));
  EXPECT_THAT(file.Read<int64_t>("/names/kind"), ElementsAre(2, 1, 3));
  EXPECT_THAT(file.Read<double>("/names/sphere_radius_m"), ElementsAre(0.0, 0.1, 0.0));
}

TEST_F(Hdf5TargetTest, SaysWhereItIsFromAndInWhichUnits) {
  Export(Make("a.h5"), {});
  const Hdf5File file(PathOf("a.h5"));
  EXPECT_EQ(file.Attribute("/", "source"), "recordings/r");
  EXPECT_THAT(file.Attribute("/", "made_by"), HasSubstr("talusctl export "));
  EXPECT_EQ(file.Attribute("/contacts/torque_n_m", "units"), "N m");
  EXPECT_THAT(file.Read<int64_t>("/bodies/offset"), ElementsAre(0)) << "no moment";
  EXPECT_THAT(file.Read<int64_t>("/bodies/step_index"), IsEmpty());
}

TEST_F(Hdf5TargetTest, OnlyTheTablesThatWereAskedFor) {
  Export(Make("a.h5", {.bodies = false, .contacts = true, .diagnostics = false}),
         {recorded_.Make(1)});
  const Hdf5File file(PathOf("a.h5"));
  EXPECT_TRUE(file.Has("/contacts"));
  EXPECT_FALSE(file.Has("/bodies"));
  EXPECT_FALSE(file.Has("/diagnostics"));
}

TEST_F(Hdf5TargetTest, WithoutAFinishNothingIsLeft) {
  {
    const ExportTargetResult target = Make("a.h5");
    ASSERT_TRUE(target);
    ASSERT_TRUE((*target)->Add(recorded_.Make(1)));
    EXPECT_FALSE(IsThere("a.h5"));
  }
  EXPECT_EQ(CountEntries(), 0u);
}

TEST_F(Hdf5TargetTest, WhatIsThereIsReplacedOnlyWhereThatWasAsked) {
  Export(Make("a.h5"), {recorded_.Make(1)});
  const ExportTargetResult refused = Make("a.h5");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.code(), client::Code::kAlreadyExists);
  EXPECT_THAT(refused.error().message, HasSubstr(PathOf("a.h5")));
  Export(Make("a.h5", kAll, true), {recorded_.Make(5)});
  EXPECT_THAT(Hdf5File(PathOf("a.h5")).Read<int64_t>("/bodies/step_index"), ElementsAre(5));
  EXPECT_EQ(CountEntries(), 1u);
}

TEST_F(Hdf5TargetTest, APlaceThatIsNoneIsToldWithItsName) {
  const ExportTargetResult refused = Make("none/a.h5");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(PathOf("none/a.h5")));
}

}  // namespace
}  // namespace talus::cli
