#include "clients/cli/scene_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "clients/cli/law_options.h"

namespace talus::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(SceneFile, ReadsASceneAndAppliesSeedAndTolerance) {
  auto file = ParseSceneFile("pile.json", R"({
    "emitters": [{"name": "a", "seed": "9"}, {"name": "b"}],
    "settings": {"timeStepS": 0.01}
  })");
  ASSERT_TRUE(file);
  file->ApplySeed(40);
  file->ApplyTolerance(1e-6);
  EXPECT_EQ(file->spec.emitters(0).seed(), 40u);
  EXPECT_EQ(file->spec.emitters(1).seed(), 41u);
  EXPECT_EQ(file->spec.settings().time_step_s(), 0.01);
  EXPECT_EQ(file->spec.settings().solver().tolerance(), 1e-6);
}

TEST(SceneFile, KeepsPsorForPsorAlone) {
  const auto parse = [] {
    auto file = ParseSceneFile("pile.json", R"({"settings": {"solver": {
      "law": "CONTACT_LAW_CCP", "solver": "CONTACT_SOLVER_PSOR", "psor": {"relaxation": 1.4}}}})");
    EXPECT_TRUE(file);
    return *std::move(file);
  };
  const auto apply = [&](const LawOptions& options) {
    SceneFile file = parse();
    EXPECT_EQ(ApplyLawOptions(options, file), "");
    return file.spec.settings().solver();
  };
  EXPECT_EQ(apply({}).psor().relaxation(), 1.4);
  EXPECT_EQ(apply({.solver = v1::CONTACT_SOLVER_PSOR}).psor().relaxation(), 1.4);
  EXPECT_EQ(
      apply({.law = v1::CONTACT_LAW_CCP, .solver = v1::CONTACT_SOLVER_PSOR}).psor().relaxation(),
      1.4);
  EXPECT_FALSE(apply({.solver = v1::CONTACT_SOLVER_ADMM}).has_psor());
  EXPECT_FALSE(apply({.law = v1::CONTACT_LAW_NCP}).has_psor());
  LawOptions changed;
  changed.psor = {.relaxation = 0.5, .averaging = 0.25, .simultaneous = true};
  const v1::SolverSettings solver = apply(changed);
  EXPECT_EQ(solver.psor().relaxation(), 0.5);
  EXPECT_EQ(solver.psor().averaging(), 0.25);
  EXPECT_FALSE(solver.psor().sequential());
  // Whoever asks for it beside another solver is told so by the server.
  changed.solver = v1::CONTACT_SOLVER_ADMM;
  EXPECT_TRUE(apply(changed).has_psor());
}

std::string MessageOf(const std::string& text) {
  auto file = ParseSceneFile("pile.json", text);
  EXPECT_FALSE(file) << text;
  return file ? "" : file.error().message;
}

TEST(SceneFile, NamesLineAndFieldOfWhatIsWrong) {
  EXPECT_THAT(MessageOf("{\n \"bodies\": [\n  {\"masssKg\": 1}]}"),
              AllOf(StartsWith("pile.json:3: "), HasSubstr("masssKg")));
  EXPECT_THAT(MessageOf("{\n \"bodies\": [\n  {\n\"massKg\": \"x\"}]}"),
              AllOf(StartsWith("pile.json:4: "), HasSubstr("bodies[0].mass_kg")));
  EXPECT_THAT(MessageOf("{\n \"bodies\": [\n  {\"kind\": \"SOLID\"}]}"),
              StartsWith("pile.json:3: "));
  EXPECT_THAT(MessageOf("{\n \"settings\": [1]}"), StartsWith("pile.json:2: "));
  EXPECT_THAT(MessageOf("{\n \"bodies\": [,]}"), StartsWith("pile.json:2:13: "));
  EXPECT_THAT(MessageOf("[]"), StartsWith("pile.json:"));
}

TEST(SceneFile, BringsTheServersErrorBackToALine) {
  auto file =
      ParseSceneFile("pile.json", "{\n \"bodies\": [\n  {\"name\": \"a\",\n \"massKg\": -2}]}");
  ASSERT_TRUE(file);
  client::Error error;
  error.detail.set_field("spec.bodies[0].mass_kg");
  EXPECT_EQ(file->Place(error), "pile.json:4: ");
  error.detail.set_field("size(spec.bodies[0].shapes)");
  EXPECT_EQ(file->Place(error), "pile.json:3: ");
  error.detail.set_field("scene_id");
  EXPECT_EQ(file->Place(error), "");
}

TEST(SceneFile, FindsNamedScenes) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "named_scenes";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "two_balls.json") << "{}";
  ::setenv("TALUS_SCENES", folder.c_str(), 1);
  EXPECT_TRUE(LoadSceneFile("two_balls"));
  EXPECT_TRUE(LoadSceneFile("two_balls.json"));
  const auto missing = LoadSceneFile("three_balls");
  ::unsetenv("TALUS_SCENES");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.code(), client::Code::kNotFound);
  EXPECT_EQ(LoadSceneFile(folder.string() + "/").code(), client::Code::kNotFound);
}

}  // namespace
}  // namespace talus::cli
