#include "clients/cli/contact_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace talus::cli {
namespace {

v1::Layout MakeLayout(const std::string& name) {
  v1::Layout layout;
  layout.add_body_ids(1);
  layout.add_body_ids(7);
  layout.add_body_names(name);
  layout.add_body_names("");
  return layout;
}

v1::Frame MakeFrame() {
  v1::Frame frame;
  frame.set_step_index(12);
  v1::ContactColumns& contacts = *frame.mutable_contacts();
  contacts.add_body_a_rows(0);
  contacts.add_body_b_rows(1);
  contacts.add_shape_a(0);
  contacts.add_shape_b(2);
  contacts.add_features(5);
  contacts.add_modes(v1::CONTACT_MODE_BITS_CLOSED | v1::CONTACT_MODE_BITS_ROLLING);
  contacts.add_gaps_m(-0.1);
  for (int i = 0; i < 3; ++i) {
    contacts.add_points_world_m(i);
    contacts.add_normals_world(i == 2);
    contacts.add_forces_world_n(10 + i);
    contacts.add_torques_world_n_m(20 + i);
  }
  for (int i = 0; i < 6; ++i) contacts.add_wrenches_contact(1.0 / 3.0 + i);
  return frame;
}

TEST(ContactTable, HasALineAContactAndAColumnAHeading) {
  std::istringstream table(ContactTable(MakeFrame(), MakeLayout("floor")));
  std::string header;
  std::string line;
  std::string more;
  ASSERT_TRUE(std::getline(table, header));
  ASSERT_TRUE(std::getline(table, line));
  EXPECT_FALSE(std::getline(table, more));
  EXPECT_EQ(line,
            "12,1,7,floor,,0,2,5,1,0,1,0,0,1,2,0,0,1,-0.1,10,11,12,20,21,22,"
            "0.3333333333333333,1.3333333333333333,2.3333333333333335,3.3333333333333335,"
            "4.333333333333333,5.333333333333333");
  EXPECT_EQ(std::count(header.begin(), header.end(), ','),
            std::count(line.begin(), line.end(), ','));
}

TEST(ContactTable, QuotesANameThatIsMoreThanAWord) {
  const std::string table = ContactTable(MakeFrame(), MakeLayout("a,\"b\"\n"));
  EXPECT_NE(table.find("\n12,1,7,\"a,\"\"b\"\"\n\",,0,2,5,"), std::string::npos) << table;
  EXPECT_EQ(QuoteCell("floor"), "floor");
}

TEST(ContactTable, LeavesOutContactsOfBodiesThatAreNotThere) {
  for (const uint32_t row : {2u, 0xFFFFFFFFu}) {
    v1::Frame frame = MakeFrame();
    frame.mutable_contacts()->set_body_b_rows(0, row);
    EXPECT_EQ(ContactTable(frame, MakeLayout("floor")), kContactHeader);
  }
}

}  // namespace
}  // namespace talus::cli
