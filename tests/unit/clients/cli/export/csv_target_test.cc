// Recorded moments as tables of text.
#include <gmock/gmock.h>

#include <bit>
#include <cstdlib>
#include <sstream>

#include "tests/unit/clients/cli/export/recorded_moments.h"

namespace talus::cli {
namespace {

using ::testing::HasSubstr;
using Cells = std::vector<std::string>;

// The lines of a table whose cells have no quotes.
std::vector<Cells> Split(const std::string& text) {
  std::vector<Cells> table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Cells& cells = table.emplace_back();
    std::istringstream parts(line + ',');
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
  }
  return table;
}

uint64_t Bits(double number) { return std::bit_cast<uint64_t>(number); }

class CsvTargetTest : public ExportTest {
 protected:
  ExportTargetResult Make(const std::string& name, const ExportTables& tables = kAll,
                          bool replace = false) const {
    return MakeCsvTarget({.path = PathOf(name), .replace = replace}, tables);
  }
};

TEST_F(CsvTargetTest, AFileATableALineARowACellAHeading) {
  Export(Make("out"), {recorded_.Make(0), recorded_.Make(10)});
  EXPECT_EQ(CountEntries("out"), 3u);
  const std::vector<std::pair<std::string, size_t>> tables = {
      {"bodies", 4}, {"contacts", 2}, {"diagnostics", 2}};
  for (const auto& [name, lines] : tables) {
    const std::vector<Cells> table = Split(Read("out/" + name + ".csv"));
    ASSERT_EQ(table.size(), 1 + lines) << name;
    EXPECT_EQ(table[0][0], "time_s") << name;
    for (const Cells& cells : table) EXPECT_EQ(cells.size(), table[0].size()) << name;
    EXPECT_EQ(table.back()[0], "1") << name;
    EXPECT_EQ(table.back()[1], "10") << name;
  }
  const Cells ball = Split(Read("out/bodies.csv")).back();
  EXPECT_EQ(Cells(ball.begin() + 2, ball.begin() + 5), (Cells{"fedcba987654321a", "7", "ball"}));
  const Cells report = Split(Read("out/diagnostics.csv")).back();
  EXPECT_EQ(report[9], "SOLVE_OUTCOME_CONVERGED");
  EXPECT_EQ(report.back(), "0.25");
}

TEST_F(CsvTargetTest, NumbersReadBackToTheSameBits) {
  const Moment moment = recorded_.Make(3);
  Export(Make("out"), {moment});
  const Cells ball = Split(Read("out/bodies.csv")).back();
  const v1::BodyColumns& bodies = moment.bodies->bodies();
  const auto number = [&](size_t cell) {
    return Bits(std::strtod(ball.at(cell).c_str(), nullptr));
  };
  EXPECT_EQ(number(0), Bits(moment.time_s));
  for (int part = 0; part < 3; ++part) {
    const auto cell = static_cast<size_t>(part);
    EXPECT_EQ(number(5 + cell), Bits(bodies.positions_world_m(3 + part)));
    EXPECT_EQ(number(12 + cell), Bits(bodies.linear_velocities_world_m_s(3 + part)));
    EXPECT_EQ(number(15 + cell), Bits(bodies.angular_velocities_world_rad_s(3 + part)));
  }
}

TEST_F(CsvTargetTest, WhatWasNotRecordedIsEmptyCells) {
  Export(Make("out"), {recorded_.MakeWithoutVelocities(1)});
  const std::vector<Cells> table = Split(Read("out/bodies.csv"));
  ASSERT_EQ(table.size(), 3u);
  ASSERT_EQ(table[2].size(), table[0].size());
  EXPECT_EQ(Cells(table[2].begin() + 12, table[2].end()), Cells(6));
  EXPECT_EQ(table[2][8], "1") << "the orientation is there";
}

TEST_F(CsvTargetTest, AMomentWithoutAPartHasNoLineOfIt) {
  Moment poor = recorded_.Make(2);
  poor.contacts.reset();
  poor.report.reset();
  Moment none = recorded_.Make(3, {});
  none.contacts->mutable_contacts()->Clear();
  Export(Make("out"), {recorded_.Make(1), poor, none});
  EXPECT_EQ(Split(Read("out/bodies.csv")).size(), 1u + 2 + 2 + 0);
  EXPECT_EQ(Split(Read("out/contacts.csv")).size(), 1u + 1 + 0 + 0);
  EXPECT_EQ(Split(Read("out/diagnostics.csv")).size(), 1u + 1 + 0 + 1);
}

TEST_F(CsvTargetTest, NoMomentLeavesTheHeadings) {
  Export(Make("out"), {});
  for (const char* name : {"out/bodies.csv", "out/contacts.csv", "out/diagnostics.csv"}) {
    EXPECT_EQ(Split(Read(name)).size(), 1u) << name;
  }
}

TEST_F(CsvTargetTest, OnlyTheTablesThatWereAskedFor) {
  Export(Make("out", {.bodies = true, .contacts = false, .diagnostics = true}),
         {recorded_.Make(1)});
  EXPECT_EQ(CountEntries("out"), 2u);
  EXPECT_FALSE(IsThere("out/contacts.csv"));
}

TEST_F(CsvTargetTest, OneTableMayBeAFileAlone) {
  const ExportTables bodies = {.bodies = true, .contacts = false, .diagnostics = false};
  Export(Make("alone.csv", bodies), {recorded_.Make(1)});
  EXPECT_EQ(Split(Read("alone.csv")).size(), 3u);
  Export(Make("folder", bodies), {recorded_.Make(1)});
  EXPECT_EQ(Read("folder/bodies.csv"), Read("alone.csv"));
  // Two tables are a folder, whatever it is called.
  Export(Make("two.csv", {.bodies = true, .contacts = true, .diagnostics = false}),
         {recorded_.Make(1)});
  EXPECT_EQ(CountEntries("two.csv"), 2u);
}

TEST_F(CsvTargetTest, NamesAreQuotedWhereTheyNeedIt) {
  RecordedMoments odd;
  odd.layout.set_body_names(1, "a,\"b\"");
  Export(Make("out"), {odd.Make(1)});
  EXPECT_THAT(Read("out/bodies.csv"), HasSubstr(",7,\"a,\"\"b\"\"\",1,"));
  EXPECT_THAT(Read("out/contacts.csv"), HasSubstr(",\"a,\"\"b\"\"\","));
}

TEST_F(CsvTargetTest, WithoutAFinishNothingIsLeft) {
  {
    const ExportTargetResult target = Make("out");
    ASSERT_TRUE(target);
    ASSERT_TRUE((*target)->Add(recorded_.Make(1)));
    EXPECT_FALSE(IsThere("out"));
  }
  EXPECT_EQ(CountEntries(), 0u);
}

TEST_F(CsvTargetTest, WhatIsThereIsReplacedOnlyWhereThatWasAsked) {
  Export(Make("out"), {recorded_.Make(1)});
  const std::string before = Read("out/bodies.csv");
  const ExportTargetResult refused = Make("out");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.code(), client::Code::kAlreadyExists);
  EXPECT_THAT(refused.error().message, HasSubstr(PathOf("out")));
  EXPECT_EQ(Read("out/bodies.csv"), before);
  Export(Make("out", kAll, true), {recorded_.Make(2)});
  EXPECT_NE(Read("out/bodies.csv"), before);
  EXPECT_EQ(CountEntries(), 1u);
}

TEST_F(CsvTargetTest, APlaceThatIsNoneIsToldWithItsName) {
  const ExportTargetResult refused = Make("none/out");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(PathOf("none/out")));
}

}  // namespace
}  // namespace talus::cli
