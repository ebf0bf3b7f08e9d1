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
                            scaled.delassus.whole().Multiply(impulse) + scaled.free_rows),
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
  // W is formed from these, and grows with every two contacts of a body.
  EXPECT_NE(Json::parse(text).contains("W"), file.problem.velocities.has_value());
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
    {"NegativeFriction", "/mu/3"_json_pointer, -0.5, "mu[3] = -0.5 must be in [0, 1e+06]"},
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
    {"TooRough", "/mu_r/12"_json_pointer, 2e6, "mu_r[12] = 2e+06 must be in [0, 1e+06]"},
    {"TooFewRollingCoefficients", "/mu_r"_json_pointer, Json::array({0.5}),
     "mu_r.size = 1 must be 13"},
    {"FastRow", "/q/64"_json_pointer, -1e200, "q[64] = -1e+200 must be in [-1e+20, 1e+20]"},
    {"FastOffset", "/w/2"_json_pointer, 2e20, "w[2] = 2e+20 must be in [-1e+20, 1e+20]"},
    {"LargeImpulse", "/f/7"_json_pointer, 1e300, "f[7] = 1e+300 must be in [-1e+40, 1e+40]"},
    {"LargeMass", "/M/v/1"_json_pointer, 2e30, "M.v[1] = 2e+30 must be in [-1e+30, 1e+30]"},
    {"LargeDirection", "/H/v/0"_json_pointer, 2e15, "H.v[0] = 2e+15 must be in [-1e+15, 1e+15]"},
    {"LargeResponse", "/W/row_major_blocks/3/24"_json_pointer, 2e50,
     "W.row_major_blocks[3][24] = 2e+50 must be in [-1e+50, 1e+50]"},
    {"TooSoft", "/compliance"_json_pointer, std::vector<double>(65, 2e30),
     "compliance[0] = 2e+30 must be in"},
    {"Memory", "/old_impulse"_json_pointer, std::vector<double>(65, 2e40),
     "old_impulse[0] = 2e+40 must be in"},
    {"UnknownField", "/compliences"_json_pointer, Json::array(),
     "field = \"compliences\" must be one of format, name, "},
    {"UnknownFieldOfAMatrix", "/M/nnz"_json_pointer, 3, "M.field = \"nnz\" must be one of storage"},
    {"UnknownFieldOfW", "/W/shape"_json_pointer, 3, "W.field = \"shape\" must be one of storage"},
    {"Order", "/order"_json_pointer, "r_T1,r_T2,r_N,m_R1,m_R2",
     "order = \"r_T1,r_T2,r_N,m_R1,m_R2\" must be \"r_N,r_T1,r_T2,m_R1,m_R2\""},
    {"FreeImpulseOfAnotherProblem", "/f"_json_pointer, std::vector<double>(96),
     "must be that of H^T M^-1 f + w, "},
    {"MassOfAnotherProblem", "/M/v/0"_json_pointer, 1e-3, "must be that of H^T M^-1 H, "},
    {"NegativeMass", "/M/v/0"_json_pointer, -1.0,
     "M = the part of row 0 must be positive definite"},
    {"Indefinite", "/W/row_major_blocks/0/12"_json_pointer, -1.0,
     "W[2][2] = -1 must be 0 or in [1e-35, 1e+50]"},
    {"Reference", "/reference/p"_json_pointer, Json::array(), "reference.p.size = 0 must be 65"},
};
INSTANTIATE_TEST_SUITE_P(Files, BadProblem, ::testing::ValuesIn(kBadFiles),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST(JsonProblem, OneFormBesideTheOtherIsGivenWhole) {
  for (const char* name : {"W", "q"}) {
    Json document = Json::parse(testing::ReadProblemText("pl_m03r3_13_1000"));
    document.erase(name);
    const absl::StatusOr<ProblemFile> file = ReadJsonProblem(document.dump());
    EXPECT_THAT(std::string(file.status().message()), HasSubstr(name + std::string(" = nothing")));
  }
}

// One contact of the own format.
Json OwnDocument() { return Json::parse(WriteJsonProblem(testing::LoadProblem(kSmall))); }

std::string RefusalOf(const Json& document) {
  const absl::StatusOr<ProblemFile> file = ReadJsonProblem(document.dump());
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(file.status().message());
}

TEST(JsonProblem, FieldsThatNobodyReadsAreRefused) {
  ASSERT_TRUE(ReadJsonProblem(OwnDocument().dump()).ok());
  Json document = OwnDocument();
  document["compliences"] = document["compliance"];
  EXPECT_THAT(RefusalOf(document), HasSubstr("field = \"compliences\" must be one of format, "));
  document = OwnDocument();
  document["blocks"][0]["lower"] = document["blocks"][0]["upper"] = std::vector<double>(6);
  EXPECT_THAT(RefusalOf(document),
              HasSubstr("blocks[0].field = \"mu\" must be one of lower, upper"));
  document = OwnDocument();
  document["blocks"][0]["mu_r"] = 0.5;
  EXPECT_THAT(RefusalOf(document),
              HasSubstr("blocks[0].field = \"mu_r\" must be one of mu, sigma, rho"));
  document = OwnDocument();
  document["blocks"][0]["rho"] = -1.0;
  EXPECT_THAT(RefusalOf(document), HasSubstr("blocks[0].rho = -1 must be in [0, 1e+06]"));
  // Where it comes from may stand there.
  document = OwnDocument();
  document["source"] = "a test";
  document["stats"] = {{"rank", 5}};
  EXPECT_TRUE(ReadJsonProblem(document.dump()).ok());
}

// Only as many as base/limits.h allows are read at all.
TEST(JsonProblem, RefusesMoreBlocksThanThereMayBe) {
  const auto refuse = [](const Json& document, const std::string& message) {
    const absl::Status status = ReadJsonProblem(document.dump()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  };
  Json document = OwnDocument();
  document["W"]["brow"] = std::vector<int>(4'000'001);
  refuse(document, "W = 4000001 blocks must have at most 4000000");
  document = OwnDocument();
  document["blocks"] = std::vector<int>(200'001);
  refuse(document, "size(blocks) = 200001 must be <= 200000");
  Json rolling = Json::parse(testing::ReadProblemText(kSmall));
  Json many = rolling;
  many["mu"] = std::vector<int>(200'001);
  refuse(many, "size(blocks) = 200001 must be <= 200000");
  rolling["nc"] = 2001;
  rolling["mu"] = rolling["mu_r"] = std::vector<int>(2001);
  refuse(rolling, "W = 4004001 blocks must have at most 4000000");
}

TEST(JsonProblem, SaysWhereATextStopsBeingJson) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {{"", "the file is empty"},
               {" \n", "the file is empty"},
               {"{\n \"q\": [1.0,\n NaN]}", "the file is not JSON: line 3, column 2"},
               {"{\n \"q\": [1.0,", "the file is not JSON: line 2, column "},
               {"[1e999]", "a number beyond any double after "},
               {"[1] 2", "the file is not JSON: line 1, column 5"}};
  for (const auto& one : cases) {
    const absl::Status status = ReadJsonProblem(one.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(one.message));
  }
}

TEST(JsonProblem, RefusesWhatIsNoJson) {
  for (const char* text : {"", "{", "[]", "null", "{\"format\": 1}", "\xff\xfe"}) {
    EXPECT_EQ(ReadJsonProblem(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace talus
