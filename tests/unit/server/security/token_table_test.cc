#include "server/security/token_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "absl/strings/str_cat.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// SHA-256 of `abc` and of nothing, as FIPS 180-2 and its test vectors give them.
constexpr char kAbc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr char kEmpty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(TokenTable, FindsWhoATokenWasGivenTo) {
  const auto table = TokenTable::Parse(
      absl::StrCat("# who may call\n\n  ci  control ", kAbc) + "  # replaced in May\r\n", "tokens");
  ASSERT_TRUE(table.ok()) << table.status();
  const TokenGrant* grant = table->Find("abc");
  ASSERT_NE(grant, nullptr);
  EXPECT_EQ(grant->name, "ci");
  EXPECT_EQ(grant->scope, Scope::kControl);
  EXPECT_EQ(table->Find("abd"), nullptr);
  EXPECT_EQ(table->Find("ab"), nullptr);
  EXPECT_EQ(table->Find(kAbc), nullptr) << "the digest is not the token";
  EXPECT_EQ(table->Find(std::string(TokenTable::kLongestToken + 1, 'a')), nullptr);
}

TEST(TokenTable, TheEmptyTokenIsNobodys) {
  const auto table = TokenTable::Parse(absl::StrCat("ci read ", kEmpty), "tokens");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->Find(""), nullptr);
}

TEST(TokenTable, AnEmptyTableKnowsNobody) {
  EXPECT_EQ(TokenTable().Find("abc"), nullptr);
  EXPECT_EQ(TokenTable().size(), 0u);
}

TEST(TokenTable, TwoTokensMayHaveOneNameWhileOneReplacesTheOther) {
  const auto table =
      TokenTable::Parse(absl::StrCat("ci read ", kAbc) + "\nci admin " + kEmpty + '\n', "tokens");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->size(), 2u);
}

TEST(TokenTable, ErrorsNameTheLineAndNoSecret) {
  const std::string digest = kAbc;
  const struct {
    std::string text;
    std::string says;
  } cases[] = {
      {"", "holds no token"},
      {"# nothing\n", "holds no token"},
      {"ci\n", "line 1: the scope must be"},
      {"ci root " + digest, "line 1: the scope must be read, control or admin"},
      {"\nci read secret-token", "line 2: the line must be NAME SCOPE SHA256"},
      {"ci read " + digest.substr(1), "line 1: the line must be"},
      {"ci read " + digest + "0", "line 1: the line must be"},
      {"ci read x" + digest.substr(1), "line 1: the line must be"},
      {"ci read " + digest + " more", "line 1: the line must be"},
      {"c/i read " + digest, "line 1: the name must be"},
      {absl::StrCat(std::string(65, 'n'), " read ", digest), "line 1: the name must be"},
      {"a read " + digest + "\nb admin " + digest, "line 2: the token is that of `a`"},
  };
  for (const auto& bad : cases) {
    const auto table = TokenTable::Parse(bad.text, "tokens");
    ASSERT_FALSE(table.ok()) << bad.text;
    const std::string message(table.status().message());
    EXPECT_THAT(message, HasSubstr(bad.says));
    EXPECT_THAT(message, HasSubstr("tokens"));
    EXPECT_THAT(message, Not(HasSubstr("secret-token")));
    EXPECT_THAT(message, Not(HasSubstr(digest.substr(1, 20))));
  }
}

TEST(TokenTable, HoldsABoundedNumber) {
  std::string text;
  for (size_t i = 0; i <= TokenTable::kMostTokens; ++i) {
    char digest[65];
    std::snprintf(digest, sizeof digest, "%064zx", i);
    text += "n read " + std::string(digest) + '\n';
    const bool fits = i < TokenTable::kMostTokens;
    if (i + 1 >= TokenTable::kMostTokens) {
      EXPECT_EQ(TokenTable::Parse(text, "t").ok(), fits) << i;
    }
  }
}

TEST(Scope, EachIncludesTheOnesBefore) {
  EXPECT_LT(Scope::kRead, Scope::kControl);
  EXPECT_LT(Scope::kControl, Scope::kAdmin);
  EXPECT_EQ(FindScope("admin"), Scope::kAdmin);
  EXPECT_FALSE(FindScope("Admin").has_value());
}

}  // namespace
}  // namespace talus
