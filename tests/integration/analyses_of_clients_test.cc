// What one client has analyzed holds up nobody else, over the wire.
#include <thread>
#include <vector>

#include "talus/v1/analysis_service.pb.h"
#include "tests/integration/secured_server.h"
#include "tests/support/problem_files.h"
#include "tests/support/wait_until.h"

namespace talus::testing {
namespace {

v1::SolveContactProblemRequest OfFile(const std::string& name) {
  v1::SolveContactProblemRequest request;
  request.set_file(ReadProblemText(name));
  return request;
}

TEST(AnalysesOfClients, TakeTurns) {
  Limits limits;
  limits.analyses = 3;
  SecuredServer server({.tls = {}, .tokens = MakeTokens(), .rate = {}}, limits);
  const auto channel = server.Open();
  const auto solve = [&channel](const char* token, const v1::SolveContactProblemRequest& request,
                                int seconds) {
    return CallAny(channel, "/talus.v1.AnalysisService/SolveContactProblem", token,
                   request.SerializeAsString(), std::chrono::seconds(seconds));
  };
  // Some 70 000 sweeps: seconds.
  v1::SolveContactProblemRequest slow = OfFile("mf_multi_redundant_64");
  slow.set_solver(v1::PROBLEM_SOLVER_ALART_CURNIER);
  slow.set_tolerance(1e-14);
  slow.set_max_sweeps(1'000'000);
  // He takes all places there are.
  constexpr int kAsked = 3;
  std::vector<CallEnd> ends(kAsked);
  std::vector<std::thread> calls;
  for (CallEnd& end : ends) {
    calls.emplace_back([&] { end = solve(kControlToken, slow, 3); });
  }
  ASSERT_TRUE(WaitUntil([&] { return server.host().analyses().held() == kAsked; }));
  const CallEnd other = solve(kAdminToken, OfFile("pl_m03r3_13_1000"), 15);
  EXPECT_TRUE(other.status.ok()) << other.status.error_message();
  EXPECT_EQ(server.host().analyses().held(), kAsked - 1) << "his own go on";
  for (std::thread& call : calls) call.join();
  int given_up = 0;
  for (const CallEnd& end : ends) {
    if (end.status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED) continue;
    EXPECT_EQ(end.detail.limit_name(), "analyses");
    ++given_up;
  }
  EXPECT_EQ(given_up, 1) << "a place for the other";
}

}  // namespace
}  // namespace talus::testing
