#include "server/security/tls_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "server/security/guarded_file.h"
#include "tests/support/certificates.h"
#include "tests/support/file_text.h"

namespace talus {
namespace {

using ::talus::testing::Authority;
using ::talus::testing::Issued;
using ::talus::testing::WriteText;
using ::testing::HasSubstr;
using ::testing::Not;

class TlsFilesTest : public ::testing::Test {
 protected:
  ~TlsFilesTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text, mode_t mode = 0600) const {
    return WriteText(folder_ + '/' + name, text, mode);
  }
  // What LoadTls says against the files.
  static std::string Refusal(const TlsFiles& files) {
    const auto loaded = LoadTls(files, std::chrono::system_clock::now());
    return loaded.ok() ? "" : std::string(loaded.status().message());
  }

  static std::string MakeFolder() {
    const std::string folder = ::testing::TempDir() + "tls_files_" +
                               ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder);
    return folder;
  }

  const std::string folder_ = MakeFolder();
  const Authority authority_{"authority"};
  const Issued issued_ = authority_.Issue("server");
  const TlsFiles good_{Write("cert.pem", issued_.certificate_pem, 0644),
                       Write("key.pem", issued_.key_pem), Write("ca.pem", authority_.pem(), 0644)};
};

TEST_F(TlsFilesTest, FilesThatFitTogetherAreTaken) {
  const auto now = std::chrono::system_clock::now();
  const auto loaded = LoadTls(good_, now);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->certificate_pem, issued_.certificate_pem);
  EXPECT_EQ(loaded->key_pem, issued_.key_pem);
  EXPECT_EQ(loaded->client_ca_pem, authority_.pem());
  EXPECT_NEAR(std::chrono::duration<double>(loaded->expires - now).count(), 3600.0, 10.0);
  EXPECT_EQ(Refusal({good_.certificate, good_.key, ""}), "");
}

TEST_F(TlsFilesTest, EachFileIsNamedWithWhatIsWrongWithIt) {
  const Issued other = authority_.Issue("other");
  const std::string other_key = Write("other.pem", other.key_pem);
  const std::string text = Write("text.pem", "not PEM");
  const std::string missing = folder_ + "/missing.pem";
  EXPECT_EQ(Refusal({missing, good_.key, ""}),
            "--tls-cert " + missing + ": No such file or directory");
  EXPECT_EQ(Refusal({text, good_.key, ""}), "--tls-cert " + text + ": holds no certificate in PEM");
  EXPECT_EQ(Refusal({good_.certificate, missing, ""}),
            "--tls-key " + missing + ": No such file or directory");
  EXPECT_THAT(Refusal({good_.certificate, text, ""}),
              HasSubstr("--tls-key " + text + ": holds no"));
  EXPECT_EQ(Refusal({good_.certificate, other_key, ""}),
            "--tls-key " + other_key + ": is not the key of " + good_.certificate);
  EXPECT_EQ(Refusal({good_.certificate, good_.key, text}),
            "--tls-client-ca " + text + ": holds no certificate in PEM");
  EXPECT_THAT(Refusal({folder_, good_.key, ""}), HasSubstr("must be a regular file"));
}

TEST_F(TlsFilesTest, ACertificateOutsideItsTimeIsRefused) {
  const Issued past = authority_.Issue("past", {.from_s = -7200, .until_s = -60});
  const Issued future = authority_.Issue("future", {.from_s = 3600, .until_s = 7200});
  EXPECT_THAT(Refusal({Write("c", past.certificate_pem), Write("k", past.key_pem), ""}),
              HasSubstr("expired at 20"));
  EXPECT_THAT(Refusal({Write("c", future.certificate_pem), Write("k", future.key_pem), ""}),
              HasSubstr("is not valid before 20"));
}

TEST_F(TlsFilesTest, AKeyTheWorldMayReadIsRefused) {
  for (const mode_t mode : {0644, 0604, 0620, 0602}) {
    ASSERT_EQ(chmod(good_.key.c_str(), mode), 0);
    EXPECT_THAT(Refusal(good_), HasSubstr("must not be readable by others")) << mode;
    EXPECT_THAT(Refusal(good_), Not(HasSubstr("BEGIN")));
  }
  for (const mode_t mode : {0400, 0440, 0600, 0640}) {
    ASSERT_EQ(chmod(good_.key.c_str(), mode), 0);
    EXPECT_EQ(Refusal(good_), "") << mode;
  }
}

TEST_F(TlsFilesTest, AFileBeyondTheBoundIsRefused) {
  const std::string path = Write("long", std::string((size_t{1} << 20) + 1, 'x'));
  EXPECT_THAT(std::string(ReadGuardedFile("--x", path, FileAccess::kPublic).status().message()),
              HasSubstr("must have at most 1 MiB"));
}

}  // namespace
}  // namespace talus
