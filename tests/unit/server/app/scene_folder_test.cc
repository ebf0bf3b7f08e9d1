// The folder of --scenes: what is read, what is left aside, and that nothing bad is passed over.
#include "server/app/scene_folder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace talus::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

constexpr char kBall[] =
    R"({"bodies": [{"name": "ball", "massKg": 1, "shapes": [{"sphere": {"radiusM": 0.1}}]}]})";

class SceneFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "talus-scenes-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Write(const std::string& file, const std::string& text) {
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  // What is wrong with the folder.
  std::string Refusal() {
    const auto library = ReadSceneFolder(folder_.string());
    if (library.ok()) return "";
    EXPECT_EQ(library.status().code(), absl::StatusCode::kFailedPrecondition);
    return std::string(library.status().message());
  }
  std::vector<std::string> Names() {
    const auto library = ReadSceneFolder(folder_.string());
    EXPECT_TRUE(library.ok()) << library.status();
    std::vector<std::string> names;
    if (!library.ok()) return names;
    const auto page = library->List(0, "");
    for (const NamedSceneInfo& info : page.value().scenes) names.push_back(info.name);
    return names;
  }

  fs::path folder_;
};

TEST_F(SceneFolder, HoldsAScenePerFile) {
  Write("ball.json", kBall);
  Write("a-1_x.y.json", "{}");
  EXPECT_THAT(Names(), ElementsAre("a-1_x.y", "ball"));
}

TEST_F(SceneFolder, OfNoNameHoldsNothing) {
  const auto library = ReadSceneFolder("");
  ASSERT_TRUE(library.ok());
  EXPECT_EQ(library->size(), 0u);
}

TEST_F(SceneFolder, LeavesOtherFilesAside) {
  Write("ball.json", kBall);
  Write("README.md", "# not a scene");
  Write(".ball.json", "half writ");
  Write("ball.json~", "nor this");
  Write(".json", "nor that");
  fs::create_directory(folder_ / "old");
  EXPECT_THAT(Names(), ElementsAre("ball"));
}

// As folders are mounted in a cluster: the files are links into one that is exchanged as a whole.
TEST_F(SceneFolder, FollowsLinks) {
  fs::create_directory(folder_ / "..data");
  Write("..data/ball.json", kBall);
  fs::create_symlink("..data/ball.json", folder_ / "ball.json");
  EXPECT_THAT(Names(), ElementsAre("ball"));
}

TEST_F(SceneFolder, ThatIsNotThereIsAnError) {
  const std::string nowhere = (folder_ / "nowhere").string();
  const auto library = ReadSceneFolder(nowhere);
  EXPECT_EQ(library.status().message(), "--scenes " + nowhere + ": No such file or directory");
}

TEST_F(SceneFolder, NamesFileAndFieldOfABadScene) {
  Write("ball.json", kBall);
  Write("heavy.json", R"({"bodies": [{"massKg": -2, "shapes": [{"sphere": {"radiusM": 0.1}}]}]})");
  EXPECT_EQ(Refusal(), "--scenes " + (folder_ / "heavy.json").string() +
                           ": bodies[0].mass_kg = -2 must be > 0");
  // Found by the decoder, before anything is validated.
  Write("heavy.json", R"({"bodies": [{"massKg": 1, "shapes": [{}]}]})");
  EXPECT_THAT(Refusal(), StartsWith("--scenes " + (folder_ / "heavy.json").string() +
                                    ": bodies[0].shapes[0]"));
}

TEST_F(SceneFolder, NamesAFileThatIsNoScene) {
  const std::string start = "--scenes " + (folder_ / "x.json").string() + ": ";
  for (const char* text : {"", "{ no scene", "[]", R"({"nobodies": []})"}) {
    Write("x.json", text);
    const std::string refusal = Refusal();
    EXPECT_THAT(refusal, StartsWith(start)) << text;
    EXPECT_THAT(refusal, HasSubstr("must be a talus.v1.SceneSpec as JSON")) << text;
  }
}

TEST_F(SceneFolder, NamesWhatIsNoFile) {
  fs::create_directory(folder_ / "x.json");
  EXPECT_THAT(Refusal(), HasSubstr("x.json: must be a regular file"));
  fs::remove(folder_ / "x.json");
  fs::create_symlink("nowhere", folder_ / "x.json");
  EXPECT_THAT(Refusal(), HasSubstr("x.json: No such file or directory"));
}

TEST_F(SceneFolder, NamesWhatNobodyCouldAskFor) {
  Write("a ball.json", kBall);
  EXPECT_THAT(Refusal(), HasSubstr("a ball.json: name = \"a ball\" must be 1 to 64 letters"));
}

TEST_F(SceneFolder, IsBounded) {
  // A hole, so that nothing is written.
  Write("x.json", "");
  fs::resize_file(folder_ / "x.json", (16 << 20) + 1);
  EXPECT_THAT(Refusal(), HasSubstr("x.json: has 16777217 bytes, must have at most 16 MiB"));
  fs::remove(folder_ / "x.json");
  for (int k = 0; k < 1024; ++k) Write("s" + std::to_string(k) + ".json", "{}");
  EXPECT_EQ(Refusal(), "");
  Write("one-more.json", "{}");
  EXPECT_EQ(Refusal(), "--scenes " + folder_.string() + ": must have at most 1024 scenes");
}

TEST_F(SceneFolder, IsBoundedInAll) {
  Write("s0.json", "{}" + std::string((16 << 20) - 2, ' '));
  // By other names, so that it is written once.
  for (int k = 1; k < 16; ++k) {
    fs::create_symlink("s0.json", folder_ / ("s" + std::to_string(k) + ".json"));
  }
  EXPECT_EQ(Refusal(), "");
  Write("t.json", "{}");
  EXPECT_EQ(Refusal(),
            "--scenes " + folder_.string() + ": must have at most 256 MiB of scenes in all");
}

}  // namespace
}  // namespace talus::app
