#include "clients/cli/doctor.h"

#include <grpc/grpc_security_constants.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <future>
#include <utility>

#include "clients/cli/patience.h"
#include "clients/cpp/channel.h"

namespace talus::cli {
namespace {

using State = Finding::State;
using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kRoundTrips = 100;

// A health check: needs no token and shows the certificate.
struct HealthAnswer {
  grpc::Status status;
  bool serving = false;
  std::string certificate_pem;  // empty: plain text
};

HealthAnswer AskHealth(const std::shared_ptr<grpc::Channel>& channel, milliseconds patience) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + patience);
  const grpc::Slice nothing;
  const grpc::ByteBuffer request(&nothing, 1);
  grpc::ByteBuffer response;
  std::promise<grpc::Status> finished;
  stub.UnaryCall(&context, "/grpc.health.v1.Health/Check", grpc::StubOptions(), &request, &response,
                 [&](grpc::Status status) { finished.set_value(std::move(status)); });
  HealthAnswer answer;
  answer.status = finished.get_future().get();
  grpc::Slice bytes;
  if (answer.status.ok() && response.DumpToSingleSlice(&bytes).ok()) {
    // {status: SERVING}
    answer.serving = bytes.size() == 2 && bytes.begin()[0] == 8 && bytes.begin()[1] == 1;
  }
  const auto security = context.auth_context();
  if (security != nullptr) {
    for (const grpc::string_ref& pem :
         security->FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME)) {
      answer.certificate_pem.assign(pem.data(), pem.size());
    }
  }
  return answer;
}

std::string AdviceForNoConnection(const std::string& message, bool tls) {
  if (message.find("andshake") != std::string::npos ||
      message.find("certificate") != std::string::npos) {
    return "the certificates do not fit: --tls-ca must have signed the server's certificate, whose "
           "names must include the address (--tls-server-name), and a server with --tls-client-ca "
           "asks for --tls-cert and --tls-key";
  }
  return tls ? "is a server running there, and does it speak TLS (--tls-cert)?"
             : "is a server running there (--server), and does it speak plain text? With TLS give "
               "--tls-ca";
}

// The answer of `ask` once the server lets it in: a limit on the rate of calls says nothing of what
// was asked. Waits at most as long as the call may take.
template <typename Ask>
auto AskInTurn(const client::CallOptions& call, Ask ask) {
  return Patiently(Patience({}, call.timeout), ask);
}

Finding NotAsked(const std::string& check, const client::Error& refusal) {
  return {check, State::kWarning, "not asked: " + refusal.message,
          "the server is busy, or --calls-per-second is low: ask again later"};
}

// What the token allows, by asking for nothing that exists. A refusal for the scope names it.
Finding ExamineScope(client::Client& client, const client::CallOptions& call) {
  const auto control = AskInTurn(call, [&] { return client.RemoveBodies({}, call); });
  if (!control && Patience::AsksToWait(control.error())) return NotAsked("scope", control.error());
  if (control.code() == client::Code::kPermissionDenied) {
    return {"scope", State::kGood, control.error().detail.value(),
            "a token with scope control is needed to make and step scenes"};
  }
  const auto admin = AskInTurn(call, [&] { return client.DeleteSnapshot({}, call); });
  if (!admin && Patience::AsksToWait(admin.error())) return NotAsked("scope", admin.error());
  const bool may_all = admin.code() != client::Code::kPermissionDenied;
  return {"scope", State::kGood, may_all ? "admin (or no tokens are asked for)" : "control", ""};
}

Finding ExamineStorage(client::Client& client, const client::CallOptions& call) {
  const auto listed = AskInTurn(call, [&] { return client.ListSnapshots({}, call); });
  if (listed) return {"storage", State::kGood, "the data directory can be read", ""};
  if (Patience::AsksToWait(listed.error())) return NotAsked("storage", listed.error());
  if (listed.code() == client::Code::kFailedPrecondition) {
    return {"storage", State::kWarning, listed.error().message,
            "nothing survives the server: start it with --data-dir"};
  }
  return {"storage", State::kBad, listed.error().message,
          "look after the disk and the permissions of --data-dir"};
}

Finding ExamineCores(const v1::GetServerInfoResponse& info) {
  const std::string found = std::to_string(info.worker_threads()) + " lent to steps of " +
                            std::to_string(info.machine_cores());
  if (info.machine_cores() == 0 || info.worker_threads() <= info.machine_cores()) {
    return {"cores", State::kGood, found, ""};
  }
  return {"cores", State::kWarning, found, "--workers beyond the machine's cores slows every step"};
}

// Of health checks, which need no token and count for no rate.
Finding ExamineRoundTrips(const std::shared_ptr<grpc::Channel>& channel, milliseconds patience) {
  std::vector<double> times;
  for (int i = 0; i < kRoundTrips; ++i) {
    const auto start = steady_clock::now();
    const HealthAnswer health = AskHealth(channel, patience);
    if (!health.status.ok()) {
      return {"round trip", State::kBad, health.status.error_message(),
              "the connection does not hold: look at the network and the server's log"};
    }
    times.push_back(duration<double, std::micro>(steady_clock::now() - start).count());
  }
  return JudgeRoundTrips(std::move(times));
}

void ExamineInside(client::Client& client, const client::CallOptions& call,
                   std::vector<Finding>& findings) {
  auto start = steady_clock::now();
  const auto info = AskInTurn(call, [&] {
    start = steady_clock::now();
    return client.GetServerInfo({}, call);
  });
  const duration<double> trip = steady_clock::now() - start;
  if (!info && Patience::AsksToWait(info.error())) {
    findings.push_back(NotAsked("token", info.error()));
    return;
  }
  if (!info) {
    findings.push_back({"token", State::kBad, info.error().message,
                        "give one the server knows: --token-file, TALUS_CLIENT_TOKEN_FILE or "
                        "TALUS_TOKEN"});
    return;
  }
  const duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  findings.push_back({"token", State::kGood, "taken, or none is asked for", ""});
  findings.push_back(ExamineScope(client, call));
  findings.push_back(JudgeVersions(info->version(), TALUS_VERSION));
  if (info->clock_s() > 0) {
    findings.push_back(JudgeClock(info->clock_s() - (now.count() - trip.count() / 2)));
  }
  findings.push_back(ExamineCores(*info));
  findings.push_back(JudgeUse("scenes", info->scene_count(), info->limits().scenes(),
                              "delete scenes, or raise --max-scenes"));
  if (info->open_files_limit() > 0) {
    findings.push_back(JudgeUse("open files", info->open_files(), info->open_files_limit(),
                                "raise the server's limit: ulimit -n"));
  }
  findings.push_back(ExamineStorage(client, call));
}

}  // namespace

std::vector<Finding> Examine(const std::string& address, const client::ClientOptions& options,
                             milliseconds patience) {
  std::vector<Finding> findings;
  const auto channel = client::OpenChannel(address, options);
  const auto start = steady_clock::now();
  const bool connected = channel->WaitForConnected(std::chrono::system_clock::now() + patience);
  const duration<double, std::milli> took = steady_clock::now() - start;
  const HealthAnswer health = AskHealth(channel, patience);
  if (!connected || health.status.error_code() == grpc::StatusCode::UNAVAILABLE) {
    findings.push_back({"connection", State::kBad, address + ": " + health.status.error_message(),
                        AdviceForNoConnection(health.status.error_message(), options.access.tls)});
    return findings;
  }
  findings.push_back({"connection", State::kGood,
                      address + " in " + std::to_string(static_cast<int>(took.count())) + " ms",
                      ""});
  if (options.access.tls) {
    findings.push_back(JudgeCertificate(health.certificate_pem, std::chrono::system_clock::now()));
  }
  if (health.serving) {
    findings.push_back({"health", State::kGood, "SERVING", ""});
  } else {
    findings.push_back({"health", State::kBad,
                        health.status.ok() ? "NOT_SERVING" : health.status.error_message(),
                        "it drains, or it is no Talus server"});
  }
  findings.push_back(ExamineRoundTrips(channel, patience));
  client::Client client(address, options);
  ExamineInside(client, {.timeout = patience, .stop = {}}, findings);
  return findings;
}

}  // namespace talus::cli
