// TLS and client certificates: who gets in, and who does not.
#include <gmock/gmock.h>

#include "server/rpc/health_check.h"
#include "tests/integration/secured_server.h"

namespace talus::testing {
namespace {

constexpr char kGetInfoOverTls[] = "/talus.v1.ServerService/GetServerInfo";

class TlsTest : public ::testing::Test {
 protected:
  rpc::AccessOptions Tls(const Issued& issued, const std::string& client_ca = "") const {
    TlsMaterial tls;
    tls.certificate_pem = issued.certificate_pem;
    tls.key_pem = issued.key_pem;
    tls.client_ca_pem = client_ca;
    return {.tls = tls, .tokens = {}, .rate = {}};
  }
  static std::shared_ptr<grpc::ChannelCredentials> Trust(const std::string& ca,
                                                         const Issued& own = {}) {
    return grpc::SslCredentials({ca, own.key_pem, own.certificate_pem});
  }
  static grpc::StatusCode Ask(const SecuredServer& server,
                              const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                              const std::string& token = "") {
    return CallAny(server.Open(credentials), kGetInfoOverTls, token).status.error_code();
  }
  static rpc::HealthTls Checked(const Authority& authority) {
    rpc::HealthTls tls;
    tls.ca_pem = authority.pem();
    return tls;
  }
  static absl::StatusCode AskHealth(const SecuredServer& server, const rpc::HealthTls& tls) {
    return rpc::CheckHealth(server.address(), std::chrono::seconds(10), tls).code();
  }

  const Authority authority_{"authority"};
  const Authority stranger_{"stranger"};
  const Issued server_ = authority_.Issue("server");
};

TEST_F(TlsTest, ServesWhoTrustsItsAuthority) {
  const SecuredServer server(Tls(server_));
  EXPECT_EQ(Ask(server, Trust(authority_.pem())), grpc::StatusCode::OK);
  EXPECT_EQ(Ask(server, Trust(stranger_.pem())), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(Ask(server, nullptr), grpc::StatusCode::UNAVAILABLE) << "plain text";
}

TEST_F(TlsTest, AnExpiredCertificateIsNotTrusted) {
  const SecuredServer server(Tls(authority_.Issue("server", {.from_s = -7200, .until_s = -60})));
  EXPECT_EQ(Ask(server, Trust(authority_.pem())), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(TlsTest, WithAnAuthorityOfClientsACallerNeedsACertificateOfIt) {
  const Authority clients("clients");
  const SecuredServer server(Tls(server_, clients.pem()));
  EXPECT_EQ(Ask(server, Trust(authority_.pem(), clients.Issue("pilot"))), grpc::StatusCode::OK);
  EXPECT_EQ(Ask(server, Trust(authority_.pem())), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(Ask(server, Trust(authority_.pem(), stranger_.Issue("pilot"))),
            grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(Ask(server,
                Trust(authority_.pem(), clients.Issue("pilot", {.from_s = -7200, .until_s = -60}))),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(TlsTest, ACertificateDoesNotReplaceAToken) {
  const Authority clients("clients");
  rpc::AccessOptions access = Tls(server_, clients.pem());
  access.tokens = MakeTokens();
  const SecuredServer server(std::move(access));
  const auto credentials = Trust(authority_.pem(), clients.Issue("pilot"));
  EXPECT_EQ(Ask(server, credentials), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(Ask(server, credentials, kReadToken), grpc::StatusCode::OK);
  EXPECT_EQ(Ask(server, Trust(authority_.pem()), kReadToken), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(TlsTest, HealthIsAskedOfWhoHasTheRightCertificate) {
  const SecuredServer server(Tls(server_));
  EXPECT_EQ(AskHealth(server, Checked(authority_)), absl::StatusCode::kOk);
  EXPECT_EQ(AskHealth(server, Checked(stranger_)), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(rpc::CheckHealth(server.address(), std::chrono::seconds(10)).ok()) << "plain text";
}

TEST_F(TlsTest, HealthIsAskedOfWhoeverAnswers) {
  rpc::HealthTls anybody;
  anybody.check_server = false;
  EXPECT_EQ(AskHealth(SecuredServer(Tls(server_)), anybody), absl::StatusCode::kOk);
  const Issued late = authority_.Issue("server", {.from_s = -7200, .until_s = -60});
  EXPECT_EQ(AskHealth(SecuredServer(Tls(late)), anybody), absl::StatusCode::kOk);
  EXPECT_EQ(AskHealth(SecuredServer({}), anybody), absl::StatusCode::kUnavailable) << "plain text";
}

TEST_F(TlsTest, HealthIsAskedWithTheCertificateThatTheServerWants) {
  const Authority clients("clients");
  const SecuredServer server(Tls(server_, clients.pem()));
  const Issued pilot = clients.Issue("pilot");
  const Issued unknown = stranger_.Issue("pilot");
  for (const bool check : {false, true}) {
    const auto ask = [&](const Issued& own) {
      rpc::HealthTls tls = Checked(authority_);
      tls.check_server = check;
      tls.certificate_pem = own.certificate_pem;
      tls.key_pem = own.key_pem;
      return AskHealth(server, tls);
    };
    EXPECT_EQ(ask(pilot), absl::StatusCode::kOk) << check;
    EXPECT_EQ(ask({}), absl::StatusCode::kUnavailable) << check;
    EXPECT_EQ(ask(unknown), absl::StatusCode::kUnavailable) << check;
  }
}

}  // namespace
}  // namespace talus::testing
