#include "clients/cli/doctor.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include "talus/v1/server_service.grpc.pb.h"
#include "talus/v1/snapshot_service.grpc.pb.h"
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

grpc::Status AskToComeBack(grpc::ServerContext* context, int64_t after_ms) {
  v1::ErrorDetail detail;
  detail.set_retry_after_ms(after_ms);
  context->AddTrailingMetadata("talus-error-bin", detail.SerializeAsString());
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many calls"};
}

// Answers every second call, where it is to come to an answer at all.
class HaltingServer final : public v1::ServerService::Service {
  grpc::Status GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest*,
                             v1::GetServerInfoResponse* response) override {
    response->set_version(TALUS_VERSION);
    return ++calls_ % 2 == 0 ? grpc::Status::OK : AskToComeBack(context, 1);
  }
  int calls_ = 0;
};

class HaltingSnapshots final : public v1::SnapshotService::Service {
 public:
  int64_t after_ms = 1;

 private:
  grpc::Status ListSnapshots(grpc::ServerContext* context, const v1::ListSnapshotsRequest*,
                             v1::ListSnapshotsResponse*) override {
    return ++calls_ % 2 == 0 ? grpc::Status::OK : AskToComeBack(context, after_ms);
  }
  int calls_ = 0;
};

TEST(Doctor, WaitsForItsTurnAndSaysWhatItCouldNotAsk) {
  HaltingServer halting;
  HaltingSnapshots snapshots;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&halting);
  builder.RegisterService(&snapshots);
  const auto server = builder.BuildAndStart();
  const auto find = [&](const std::string& check) {
    for (const Finding& finding :
         Examine("127.0.0.1:" + std::to_string(port), {}, std::chrono::minutes{1})) {
      if (finding.check == check) return finding;
    }
    return Finding{};
  };
  EXPECT_EQ(find("token").found, "taken, or none is asked for");
  EXPECT_EQ(find("storage").found, "the data directory can be read");
  snapshots.after_ms = 3'600'000;
  const Finding storage = find("storage");
  EXPECT_EQ(storage.state, State::kWarning);
  EXPECT_EQ(storage.found, "not asked: too many calls");
  EXPECT_THAT(storage.advice, HasSubstr("--calls-per-second"));
}

}  // namespace
}  // namespace talus::cli
