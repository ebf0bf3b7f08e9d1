#include "clients/cli/scene_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

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
