// Outputs that take their place whole or not at all.
#include "clients/cli/pending_output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "clients/cli/output_file.h"

namespace talus::cli {
namespace {

namespace fs = std::filesystem;
using Kind = PendingOutput::Kind;

class PendingOutputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/pending-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string PathOf(const std::string& name) const { return (folder_ / name).string(); }
  // Empty where there is none.
  std::string Read(const std::string& name) const {
    const auto bytes = ReadFile(PathOf(name));
    return bytes ? *bytes : "";
  }
  size_t CountEntries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(PendingOutputTest, AFileIsReplacedWhole) {
  ASSERT_TRUE(WriteFileAtomically(PathOf("a"), "old"));
  {
    auto output = PendingOutput::Begin(PathOf("a"), Kind::kFile, true);
    ASSERT_TRUE(output);
    auto file = OutputFile::Create((*output)->beside());
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->Write("ne"));
    ASSERT_TRUE(file->Write("w"));
    ASSERT_TRUE(file->Close());
    EXPECT_EQ(Read("a"), "old");
    ASSERT_TRUE((*output)->Commit());
    EXPECT_EQ(Read("a"), "new");
  }
  EXPECT_EQ(Read("a"), "new");
  EXPECT_EQ(CountEntries(), 1u);
}

TEST_F(PendingOutputTest, WithoutACommitNothingIsLeft) {
  ASSERT_TRUE(WriteFileAtomically(PathOf("a"), "old"));
  {
    auto output = PendingOutput::Begin(PathOf("a"), Kind::kFile, true);
    ASSERT_TRUE(output);
    ASSERT_TRUE(OutputFile::Create((*output)->beside()));
    auto folder = PendingOutput::Begin(PathOf("b/"), Kind::kFolder, false);
    ASSERT_TRUE(folder);
    ASSERT_TRUE(OutputFile::Create((*folder)->beside() + "/inside"));
  }
  EXPECT_EQ(Read("a"), "old");
  EXPECT_EQ(CountEntries(), 1u);
}

TEST_F(PendingOutputTest, AFolderIsReplacedWhole) {
  for (const std::string text : {"one", "two"}) {
    auto output = PendingOutput::Begin(PathOf("out/"), Kind::kFolder, true);
    ASSERT_TRUE(output);
    ASSERT_TRUE(WriteFileAtomically((*output)->beside() + "/" + text, text));
    ASSERT_TRUE((*output)->Commit());
    EXPECT_EQ(Read("out/" + text), text);
  }
  EXPECT_EQ(Read("out/one"), "");
  EXPECT_EQ(CountEntries(), 1u);
}

TEST_F(PendingOutputTest, WhatIsThereIsNotTakenForWhatIsWanted) {
  ASSERT_TRUE(WriteFileAtomically(PathOf("file"), "x"));
  fs::create_directory(PathOf("folder"));
  const auto refuse = [&](const char* name, Kind kind, bool replace) {
    const auto output = PendingOutput::Begin(PathOf(name), kind, replace);
    ASSERT_FALSE(output);
    EXPECT_EQ(output.code(), client::Code::kAlreadyExists);
    EXPECT_NE(output.error().message.find(PathOf(name)), std::string::npos);
  };
  refuse("file", Kind::kFile, false);
  refuse("file", Kind::kFolder, true);
  refuse("folder", Kind::kFolder, false);
  refuse("folder", Kind::kFile, true);
  const auto written = WriteFileAtomically(PathOf("folder"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.code(), client::Code::kUnknown);
  const auto nowhere = WriteFileAtomically(PathOf("none/a"), "x");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("No such file"), std::string::npos);
  EXPECT_EQ(CountEntries(), 2u);
}

TEST_F(PendingOutputTest, LinksStayAndWhatTheyLeadToIsReplaced) {
  fs::create_directory(PathOf("store"));
  ASSERT_TRUE(WriteFileAtomically(PathOf("store/a"), "old"));
  fs::create_symlink("store/a", PathOf("link"));
  fs::create_symlink(PathOf("link"), PathOf("far"));
  ASSERT_TRUE(WriteFileAtomically(PathOf("far"), "new"));
  EXPECT_EQ(Read("store/a"), "new");
  fs::create_symlink("store/b", PathOf("dangling"));
  ASSERT_TRUE(WriteFileAtomically(PathOf("dangling"), "made"));
  EXPECT_EQ(Read("store/b"), "made");
  for (const char* link : {"link", "far", "dangling"}) EXPECT_TRUE(fs::is_symlink(PathOf(link)));
  fs::create_symlink("round", PathOf("round"));
  EXPECT_FALSE(WriteFileAtomically(PathOf("round"), "x"));
  EXPECT_TRUE(fs::is_symlink(PathOf("round")));
  fs::create_symlink("store", PathOf("folder"));
  auto output = PendingOutput::Begin(PathOf("folder"), Kind::kFolder, true);
  ASSERT_TRUE(output);
  ASSERT_TRUE((*output)->Commit());
  EXPECT_TRUE(fs::is_symlink(PathOf("folder")));
  EXPECT_TRUE(fs::is_empty(PathOf("store")));
}

TEST_F(PendingOutputTest, DevicesAndPipesAreWrittenTo) {
  ASSERT_EQ(::mkfifo(PathOf("pipe").c_str(), 0600), 0);
  const int reader = ::open(PathOf("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(WriteFileAtomically(PathOf("pipe"), "through"));
  char bytes[16] = {};
  EXPECT_EQ(::read(reader, bytes, sizeof bytes), 7);
  EXPECT_STREQ(bytes, "through");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(PathOf("pipe")));
  // By a link: as root a rename would take the device's place.
  fs::create_symlink("/dev/full", PathOf("full"));
  EXPECT_FALSE(WriteFileAtomically(PathOf("full"), "x"));
  fs::create_symlink("/dev/null", PathOf("null"));
  EXPECT_TRUE(WriteFileAtomically(PathOf("null"), "x"));
  {
    const auto unused = PendingOutput::Begin(PathOf("pipe"), Kind::kFile, false);
    ASSERT_TRUE(unused) << "nothing is replaced";
  }
  EXPECT_TRUE(fs::is_fifo(PathOf("pipe")));
  EXPECT_FALSE(PendingOutput::Begin(PathOf("pipe"), Kind::kFolder, true));
  EXPECT_EQ(CountEntries(), 3u);
}

// A folder of somebody else's where the file was to be made beside its place.
TEST_F(PendingOutputTest, SomebodyElsesFolderStays) {
  fs::create_directory(PathOf("a.tmp"));
  EXPECT_FALSE(WriteFileAtomically(PathOf("a"), "x"));
  EXPECT_TRUE(fs::is_directory(PathOf("a.tmp")));
  EXPECT_FALSE(fs::exists(PathOf("a")));
}

}  // namespace
}  // namespace talus::cli
