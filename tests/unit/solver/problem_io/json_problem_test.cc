#include "solver/problem_io/json_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solver/matrix/scaled_problem.h"
#include "tests/support/problem_files.h"

namespace talus {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

constexpr char kSmall[] = "mf_sphere_slide_roll";

class SharedProblem : public ::testing::TestWithParam<std::string> {};

// The references are solutions under NCP: what was read is what was meant.
TEST_P(SharedProblem, IsSolvedByItsReference) {
  const ProblemFile file = testing::LoadProblem(GetParam());
  ASSERT_TRUE(file.reference_impulse);
  EXPECT_EQ(file.name, GetParam());
  const Eigen::VectorXd velocity =
      file.problem.delassus.Multiply(*file.reference_impulse) + file.problem.free_rows;
  EXPECT_LE((velocity - *file.reference_velocity).norm(), 1e-8 * file.problem.free_rows.norm());
  const ScaledProblem scaled = ScaleProblem(file.problem);
  const Eigen::VectorXd impulse = file.reference_impulse->cwiseQuotient(
      scaled.steps.unaryExpr([](double step) { return step > 0.0 ? step : 1.0; }));
  EXPECT_LE(ComputeResidual(scaled, ContactLaw::kNcp, impulse,
                            scaled.delassus.Multiply(impulse) + scaled.free_rows),
            1e-8);
}

TEST_P(SharedProblem, ReadsBackWhatWasWritten) {
  const ProblemFile file = testing::LoadProblem(GetParam());
  const std::string text = WriteJsonProblem(file);
  const absl::StatusOr<ProblemFile> again = ReadJsonProblem(text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->problem.free_rows, file.problem.free_rows);
  EXPECT_EQ(again->problem.delassus.ToDense(), file.problem.delassus.ToDense());
  EXPECT_EQ(*again->reference_impulse, *file.reference_impulse);
  ASSERT_EQ(again->problem.velocities.has_value(), file.problem.velocities.has_value());
  EXPECT_EQ(WriteJsonProblem(*again), text);
}

INSTANTIATE_TEST_SUITE_P(Files, SharedProblem, ::testing::ValuesIn(testing::ProblemNames()));

TEST(JsonProblem, FormsTheDelassusOperatorFromVelocities) {
  const ProblemFile file = testing::LoadProblem("pl_m03r3_13_1000");
  Json document = Json::parse(testing::ReadProblemText("pl_m03r3_13_1000"));
  document.erase("W");
  document.erase("q");
  const absl::StatusOr<ProblemFile> formed = ReadJsonProblem(document.dump());
  ASSERT_TRUE(formed.ok()) << formed.status();
  const Eigen::MatrixXd expected = file.problem.delassus.ToDense();
  EXPECT_LE((formed->problem.delassus.ToDense() - expected).norm(), 1e-12 * expected.norm());
  EXPECT_LE((formed->problem.free_rows - file.problem.free_rows).norm(),
            1e-12 * file.problem.free_rows.norm());
}

TEST(JsonProblem, KeepsBoundsComplianceAndWhatBristlesRemember) {
  ProblemFile file = testing::LoadProblem(kSmall);
  BlockLaw& law = file.problem.laws[0];
  law.kind = BlockLawKind::kBounds;
  law.lower.setConstant(-std::numeric_limits<double>::infinity());
  law.upper << 0.0, 1.0, 2.0, 3.0, std::numeric_limits<double>::infinity(), 4.0;
  file.problem.compliance[2] = 0.125;
  EXPECT_FALSE(ReadJsonProblem(WriteJsonProblem(file))->old_impulse);
  file.old_impulse = 3.0 * file.problem.free_rows;
  const absl::StatusOr<ProblemFile> again = ReadJsonProblem(WriteJsonProblem(file));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->problem.laws[0].kind, BlockLawKind::kBounds);
  EXPECT_EQ(again->problem.laws[0].lower, law.lower);
  EXPECT_EQ(again->problem.laws[0].upper, law.upper);
  EXPECT_EQ(again->problem.compliance, file.problem.compliance);
  ASSERT_TRUE(again->old_impulse);
  EXPECT_EQ(*again->old_impulse, *file.old_impulse);
}

struct BadFile {
  const char* name;
  Json::json_pointer place;
  Json value;
  const char* message;
};

class BadProblem : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadProblem, IsRefusedByName) {
  Json document = Json::parse(testing::ReadProblemText("pl_m03r3_13_1000"));
  document[GetParam().place] = GetParam().value;
  const absl::StatusOr<ProblemFile> file = ReadJsonProblem(document.dump());
  ASSERT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(file.status().message()), HasSubstr(GetParam().message));
}

const BadFile kBadFiles[] = {
    {"Format", "/format"_json_pointer, "fclib", "format = \"fclib\" must be contact-problem/1"},
    {"Dimension", "/d"_json_pointer, 4, "d = 4 must be 3 or 5"},
    {"DimensionTooLarge", "/d"_json_pointer, 6, "d = 6 must be an integer from 3 to 5"},
    {"Count", "/nc"_json_pointer, 14, "nc = 14 must be an integer from 13 to 13"},
    {"NegativeFriction", "/mu/3"_json_pointer, -0.5, "blocks[3].mu = -0.5 must be finite and >= 0"},
    {"TextForNumber", "/q/7"_json_pointer, "x", "q[7] = \"x\" must be a number"},
    {"TooFew", "/q"_json_pointer, Json::array({1.0}), "q.size = 1 must be 65"},
    {"Storage", "/W/storage"_json_pointer, "csr",
     "W.storage = \"csr\" must be \"bsr\" or \"dense\""},
    {"BlockSize", "/W/block"_json_pointer, 3, "W.block = 3 must be an integer from 5 to 5"},
    {"BlockRow", "/W/brow/0"_json_pointer, 13, "W.brow[0] = 13 must be an integer from 0 to 12"},
    {"Block", "/W/row_major_blocks/2"_json_pointer, Json::array({1.0}),
     "W.row_major_blocks[2] = something must be 25 numbers"},
    {"NotSymmetric", "/W/row_major_blocks/0/1"_json_pointer, 1e6, "must differ from its transpose"},
    {"Shape", "/H/shape/1"_json_pointer, 4000000000, "H.shape = "},
    {"Missing", "/M"_json_pointer, nullptr, "M = null must be an object"},
    {"OldImpulse", "/old_impulse"_json_pointer, Json::array({1.0}),
     "old_impulse.size = 1 must be 65"},
    {"Reference", "/reference/p"_json_pointer, Json::array(), "reference.p.size = 0 must be 65"},
};
INSTANTIATE_TEST_SUITE_P(Files, BadProblem, ::testing::ValuesIn(kBadFiles),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST(JsonProblem, RefusesWhatIsNoJson) {
  for (const char* text : {"", "{", "[]", "null", "{\"format\": 1}", "\xff\xfe"}) {
    EXPECT_EQ(ReadJsonProblem(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace talus
