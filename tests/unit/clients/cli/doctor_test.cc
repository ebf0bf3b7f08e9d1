#include "clients/cli/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/certificates.h"

namespace talus::cli {
namespace {

using ::talus::testing::Authority;
using ::testing::HasSubstr;
using State = Finding::State;

TEST(Doctor, CertificatesAreJudgedByTheDaysTheyHaveLeft) {
  const Authority authority("authority");
  const auto now = std::chrono::system_clock::now();
  constexpr int64_t kDay = 86'400;
  const auto judge = [&](int64_t days) {
    return JudgeCertificate(
        authority.Issue("server", {.from_s = -60 * kDay, .until_s = days * kDay + 600})
            .certificate_pem,
        now);
  };
  EXPECT_EQ(judge(31).state, State::kGood);
  EXPECT_THAT(judge(31).found, HasSubstr("31 days left"));
  EXPECT_EQ(judge(29).state, State::kWarning);
  EXPECT_EQ(judge(0).state, State::kWarning);
  EXPECT_EQ(judge(-1).state, State::kBad);
  EXPECT_THAT(judge(-1).found, HasSubstr("expired on "));
  EXPECT_THAT(judge(-1).advice, HasSubstr("--tls-cert"));
  EXPECT_EQ(JudgeCertificate("no PEM", now).state, State::kWarning);
}

TEST(Doctor, VersionsMayDifferInTheirLastNumber) {
  EXPECT_EQ(JudgeVersions("1.2.3", "1.2.9").state, State::kGood);
  EXPECT_EQ(JudgeVersions("1.3.0", "1.2.9").state, State::kWarning);
  EXPECT_EQ(JudgeVersions("", "1.2.9").state, State::kWarning);
}

TEST(Doctor, ClocksMayDifferByASecondOrTwo) {
  EXPECT_EQ(JudgeClock(-1.5).state, State::kGood);
  EXPECT_EQ(JudgeClock(60.0).state, State::kWarning);
  EXPECT_EQ(JudgeClock(-60.0).state, State::kWarning);
}

TEST(Doctor, UseIsBadWhenNothingIsLeft) {
  EXPECT_EQ(JudgeUse("scenes", 89, 100, "more").state, State::kGood);
  EXPECT_EQ(JudgeUse("scenes", 89, 100, "more").advice, "");
  EXPECT_EQ(JudgeUse("scenes", 90, 100, "more").state, State::kWarning);
  EXPECT_EQ(JudgeUse("scenes", 100, 100, "more").state, State::kBad);
  EXPECT_EQ(JudgeUse("scenes", 100, 100, "more").advice, "more");
}

TEST(Doctor, RoundTripsAreJudgedByTheirMedian) {
  EXPECT_EQ(JudgeRoundTrips({100, 90'000, 120}).state, State::kGood);
  EXPECT_EQ(JudgeRoundTrips({100, 90'000, 120}).found, "median 120 us, slowest 90000 us of 3");
  EXPECT_EQ(JudgeRoundTrips({9'000, 90'000, 120}).state, State::kWarning);
}

}  // namespace
}  // namespace talus::cli
