#include "clients/cli/json_positions.h"

#include <gtest/gtest.h>

namespace talus::cli {
namespace {

constexpr char kText[] = R"({
  "bodies": [
    {"name": "floor"},
    {
      "massKg": -2,
      "position_world_m": {"x": 1e-3,
                           "y": 0}
    }
  ],
  "settings": {}
})";

TEST(JsonPositions, FindsTheLineOfAValueInEitherSpelling) {
  JsonPositions positions;
  ASSERT_FALSE(positions.Scan(kText));
  EXPECT_EQ(positions.FindLine("bodies"), 2);
  EXPECT_EQ(positions.FindLine("bodies[0].name"), 3);
  EXPECT_EQ(positions.FindLine("bodies[1].mass_kg"), 5);
  EXPECT_EQ(positions.FindLine("bodies[1].massKg"), 5);
  EXPECT_EQ(positions.FindLine("bodies[1].position_world_m.y"), 7);
  EXPECT_EQ(positions.FindLine("settings"), 10);
}

TEST(JsonPositions, FallsBackToTheClosestAncestorThatIsThere) {
  JsonPositions positions;
  ASSERT_FALSE(positions.Scan(kText));
  EXPECT_EQ(positions.FindLine("bodies[1].shapes[0].sphere"), 4);
  EXPECT_EQ(positions.FindLine("settings.time_step_s"), 10);
  EXPECT_EQ(positions.FindLine("materials[0]"), 0);
  EXPECT_EQ(positions.FindLine(""), 0);
}

struct BadText {
  const char* text;
  int line;
  int column;
};

class JsonSyntax : public ::testing::TestWithParam<BadText> {};

TEST_P(JsonSyntax, NamesThePlace) {
  JsonPositions positions;
  const auto error = positions.Scan(GetParam().text);
  ASSERT_TRUE(error) << GetParam().text;
  EXPECT_EQ(error->line, GetParam().line) << error->message;
  EXPECT_EQ(error->column, GetParam().column) << error->message;
}

INSTANTIATE_TEST_SUITE_P(
    All, JsonSyntax,
    ::testing::Values(BadText{"", 1, 1}, BadText{"{", 1, 2}, BadText{"{\"a\": 1,\n}", 2, 1},
                      BadText{"{\"a\": 1 \"b\"", 1, 9}, BadText{"[1, 2", 1, 6},
                      BadText{"{\"a\": nan}", 1, 7}, BadText{"{\"a\": 1.}", 1, 7},
                      BadText{"{\"a\": \"x\n\"}", 1, 9}, BadText{"{\"a\": \"x\\", 1, 10},
                      BadText{"{} {}", 1, 4}, BadText{"{\"a\" 1}", 1, 6},
                      BadText{"{\"a\":1,\n\n \"a\":2}", 3, 5}, BadText{"{'a': 1}", 1, 2}));

TEST(JsonPositions, RefusesEndlessNesting) {
  JsonPositions positions;
  EXPECT_TRUE(positions.Scan(std::string(100000, '[')));
}

}  // namespace
}  // namespace talus::cli
