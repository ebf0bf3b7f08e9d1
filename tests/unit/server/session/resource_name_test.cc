#include "server/session/resource_name.h"

#include <limits>
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

TEST(PageTest, OfNumbersBeginsBehindTheLastId) {
  const auto first = FindNumberPage(0, "");
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->size, 100u);
  EXPECT_EQ(first->after, 0u);
  const auto last = FindNumberPage(1000, "18446744073709551615");
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(last->size, 1000u);
  EXPECT_EQ(last->after, std::numeric_limits<uint64_t>::max());
}

TEST(PageTest, OfNumbersNamesWhatIsWrong) {
  for (const int64_t size : {-1, 1001}) {
    const ErrorInfo info = FindErrorInfo(FindNumberPage(size, "").status());
    EXPECT_EQ(info.field, "page_size");
    EXPECT_EQ(info.value, std::to_string(size));
    EXPECT_EQ(info.allowed, "must be in [0, 1000]");
  }
  for (const std::string token :
       {"0", "-1", "+1", " 1", "1 ", "1a", "ball", "1.0", "18446744073709551616", "\xc3"}) {
    const absl::Status status = FindNumberPage(1, token).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << token;
    const ErrorInfo info = FindErrorInfo(status);
    EXPECT_EQ(info.reason, ErrorReason::kInvalidField) << token;
    EXPECT_EQ(info.field, "page_token");
    EXPECT_NE(info.allowed.find("[1, 18446744073709551615]"), std::string::npos) << info.allowed;
  }
}

}  // namespace
}  // namespace talus
