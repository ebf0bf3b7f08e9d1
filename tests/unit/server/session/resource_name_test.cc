#include "server/session/resource_name.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/session/error.h"
#include "server/session/page.h"

namespace talus {
namespace {

TEST(ResourceNameTest, ReadsWhatItWrites) {
  EXPECT_EQ(*ParseSceneName(FormatSceneName("a-B_0.9")), "a-B_0.9");
  EXPECT_EQ(*ParseSnapshotName(FormatSnapshotName("x")), "x");
  EXPECT_TRUE(ParseSceneName("scenes/" + std::string(64, 'x')).ok());
}

TEST(ResourceNameTest, RefusesOtherForms) {
  const std::vector<std::string> bad = {"",
                                        "a",
                                        "scenes/",
                                        "scene/a",
                                        "scenes/a/b",
                                        "scenes/a b",
                                        "scenes/\xc3",
                                        "snapshots/a",
                                        "scenes/" + std::string(65, 'x')};
  for (const std::string& name : bad) {
    const auto parsed = ParseSceneName(name, "the_field");
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_EQ(FindErrorInfo(parsed.status()).field, "the_field");
    EXPECT_EQ(FindErrorInfo(parsed.status()).reason, ErrorReason::kInvalidField);
  }
}

TEST(PageTest, CoversTheListWithoutGapsOrRepeats) {
  const std::vector<std::string> ids = {"a", "b", "c", "d", "e", "f", "g"};
  for (int64_t size = 1; size <= 8; ++size) {
    std::vector<std::string> seen;
    std::string token;
    do {
      const auto page = FindPage(ids, size, token);
      ASSERT_TRUE(page.ok());
      EXPECT_LE(page->end - page->begin, static_cast<size_t>(size));
      for (size_t index = page->begin; index < page->end; ++index) seen.push_back(ids[index]);
      token = page->next_token;
    } while (!token.empty());
    EXPECT_EQ(seen, ids);
  }
}

TEST(PageTest, AnEmptyListIsOneEmptyPage) {
  const auto page = FindPage({}, 0, "zzz");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->begin, page->end);
  EXPECT_EQ(page->next_token, "");
}

}  // namespace
}  // namespace talus
