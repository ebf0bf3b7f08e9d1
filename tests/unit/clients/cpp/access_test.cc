#include "clients/cpp/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_file.h"

namespace talus::client {
namespace {

using ::talus::testing::ScratchFile;
using ::testing::HasSubstr;

constexpr char kPem[] = "-----BEGIN CERTIFICATE-----\n";

TEST(ClientAccess, FilesAreReadAndMakeItTls) {
  const ScratchFile ca("ca.pem", kPem);
  const ScratchFile token("token", "secret\r\nmore\n");
  const auto access = ReadAccess({ca.path(), "", "", token.path()});
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_TRUE(access->tls);
  EXPECT_EQ(access->ca_pem, kPem);
  EXPECT_EQ(access->token, "secret");
  const auto plain = ReadAccess({"", "", "", token.path()});
  ASSERT_TRUE(plain.ok());
  EXPECT_FALSE(plain->tls);
}

TEST(ClientAccess, ErrorsNameTheFile) {
  const ScratchFile text("text", "not PEM");
  const ScratchFile empty("empty", "\n");
  EXPECT_EQ(ReadAccess({"/missing", "", "", ""}).error().message,
            "/missing: No such file or directory");
  EXPECT_EQ(ReadAccess({text.path(), "", "", ""}).error().message,
            text.path() + ": holds nothing in PEM");
  EXPECT_EQ(ReadAccess({"", "", "", empty.path()}).error().message,
            empty.path() + ": holds no token");
}

TEST(ClientAccess, NoFileIsReadWithoutEnd) {
  EXPECT_EQ(ReadAccess({"", "", "", "/dev/zero"}).error().message,
            "/dev/zero: must hold at most 1048576 bytes");
  EXPECT_EQ(ReadAccess({"/tmp", "", "", ""}).error().message, "/tmp: Is a directory");
}

TEST(ClientAccess, ATokenStaysOnTheMachineUnlessItIsEncrypted) {
  Access access;
  access.token = "secret";
  for (const char* address : {"127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1", "unix:/x"}) {
    EXPECT_FALSE(FindMisuse(address, access).has_value()) << address;
  }
  for (const char* address : {"10.0.0.1:1", "sim.example:1", "127.evil.example:1", "[fe80::1]:1"}) {
    const auto misuse = FindMisuse(address, access);
    ASSERT_TRUE(misuse.has_value()) << address;
    EXPECT_THAT(misuse->message, HasSubstr("plain text"));
    EXPECT_THAT(misuse->message, ::testing::Not(HasSubstr("secret")));
  }
  access.tls = true;
  EXPECT_FALSE(FindMisuse("sim.example:1", access).has_value());
  access.certificate_pem = kPem;
  EXPECT_THAT(FindMisuse("sim.example:1", access)->message, HasSubstr("need each other"));
}

}  // namespace
}  // namespace talus::client
