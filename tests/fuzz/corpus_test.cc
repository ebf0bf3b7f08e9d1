// What the fuzzers have found and what they begin from, tried in every build; and the mutator.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "talus/v1/scene.pb.h"
#include "tests/fuzz/fuzzers.h"
#include "tests/fuzz/message_mutator.h"

namespace talus::fuzz {
namespace {

std::vector<std::filesystem::path> FindFiles(const std::string& fuzzer) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(TALUS_FUZZ_CORPUS) / fuzzer)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Corpus : public ::testing::TestWithParam<std::string> {};

TEST_P(Corpus, BreaksNothing) {
  const Fuzzer* fuzzer = FindFuzzer(GetParam());
  ASSERT_NE(fuzzer, nullptr);
  fuzzer->feed("");
  const auto files = FindFiles(GetParam());
  EXPECT_FALSE(files.empty());
  for (const std::filesystem::path& path : files) {
    SCOPED_TRACE(path.filename());
    const std::string bytes = ReadFile(path);
    fuzzer->feed(bytes);
    fuzzer->feed(std::string_view(bytes).substr(0, bytes.size() / 2));
    if (path.extension() != ".textproto") continue;
    // A beginning that is read, not one that is refused at once.
    const std::unique_ptr<google::protobuf::Message> message(fuzzer->prototype->New());
    EXPECT_TRUE(ReadText(bytes, *message));
  }
}

std::vector<std::string> NameAll() {
  std::vector<std::string> names;
  for (const Fuzzer& one : AllFuzzers()) names.push_back(one.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(AllFuzzers, Corpus, ::testing::ValuesIn(NameAll()),
                         [](const auto& name) { return name.param; });

TEST(MessageMutator, MakesMessagesOfMessagesAndTheSameOfTheSameSeed) {
  const v1::SceneSpec& prototype = v1::SceneSpec::default_instance();
  std::string text;
  int changed = 0;
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    const std::string next = MutateText(text, prototype, seed);
    v1::SceneSpec message;
    EXPECT_TRUE(ReadText(next, message)) << next;
    EXPECT_EQ(next, MutateText(text, prototype, seed));
    changed += next != text ? 1 : 0;
    text = next;
  }
  EXPECT_GT(changed, 200);
  EXPECT_FALSE(text.empty());
  // From what is no message it goes on with an empty one.
  v1::SceneSpec message;
  EXPECT_TRUE(ReadText(MutateText("no { message", prototype, 7), message));
}

}  // namespace
}  // namespace talus::fuzz
