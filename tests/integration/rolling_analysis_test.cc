// AnalysisService and bodies that roll on two contact points.
#include <algorithm>
#include <memory>

#include "solver/analysis/trough_ball.h"
#include "talus/v1/analysis_service.grpc.pb.h"
#include "tests/integration/server_fixture.h"

namespace talus::testing {
namespace {

using AnalysisStub = v1::AnalysisService::Stub;

class RollingAnalysisTest : public ServerTest {
 protected:
  void SetUp() override { StartServer(); }

  std::unique_ptr<AnalysisStub> analysis_;
};

// A ball of 2 kg in a right-angled trough, pressed into it and pushed along it.
v1::AnalyzeRollingTransitionRequest TroughBall(double push_n) {
  constexpr double kRadius = 0.1;
  v1::AnalyzeRollingTransitionRequest body;
  body.set_mass_kg(2.0);
  for (int i = 0; i < 9; ++i) body.add_inertia_world_kg_m2(i % 4 == 0 ? 0.4 * 2.0 * 0.01 : 0.0);
  body.mutable_force_world_n()->set_x(-14.0);
  body.mutable_force_world_n()->set_y(-14.0);
  body.mutable_force_world_n()->set_z(push_n);
  v1::RollingContact* contact = body.add_contacts();
  contact->mutable_arm_world_m()->set_y(-kRadius);
  contact->mutable_normal_world()->set_y(1.0);
  contact->set_sliding_friction(0.3);
  contact = body.add_contacts();
  contact->mutable_arm_world_m()->set_x(-kRadius);
  contact->mutable_normal_world()->set_x(1.0);
  contact->set_sliding_friction(0.3);
  return body;
}

TEST_F(RollingAnalysisTest, ABallInATroughRollsUntilItIsPushedTooHard) {
  analysis_ = v1::AnalysisService::NewStub(channel_);
  const auto analyze = [&](const v1::AnalyzeRollingTransitionRequest& body) {
    return Call(*analysis_, &AnalysisStub::AnalyzeRollingTransition, body);
  };
  const auto rolls = analyze(TroughBall(1.0));
  ASSERT_TRUE(rolls.ok()) << rolls.status.error_message();
  ASSERT_EQ(rolls.response.realizable_states_size(), 1);
  EXPECT_EQ(rolls.response.realizable_states(0), v1::CONTACT_PAIR_STATE_ROLL_ROLL);
  ASSERT_EQ(rolls.response.motions_size(), 1);
  // It turns about the line through the contacts, r/sqrt(2) from its centre: pushed by 1 N, the
  // mass of 2 kg seems 2 (1 + 0.4 * 2).
  EXPECT_NEAR(rolls.response.motions(0).acceleration_world_m_s2().z(), 1.0 / (2.0 * 1.8), 1e-12);
  const auto slips = analyze(TroughBall(60.0));
  ASSERT_TRUE(slips.ok()) << slips.status.error_message();
  ASSERT_EQ(slips.response.realizable_states_size(), 1);
  EXPECT_EQ(slips.response.realizable_states(0), v1::CONTACT_PAIR_STATE_SLIP_SLIP);
  EXPECT_GT(slips.response.limit_directions_size(), 0);
  // What is wrong is named.
  v1::AnalyzeRollingTransitionRequest body = TroughBall(1.0);
  body.set_mass_kg(-1.0);
  auto refused = analyze(body);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(refused.detail.field(), "mass_kg");
  body = TroughBall(1.0);
  body.mutable_contacts()->RemoveLast();
  EXPECT_EQ(analyze(body).detail.field(), "size(contacts)");
  body = TroughBall(1.0);
  body.mutable_inertia_world_kg_m2()->RemoveLast();
  EXPECT_EQ(analyze(body).detail.field(), "size(inertia_world_kg_m2)");
}

TEST_F(RollingAnalysisTest, MeshesTheLoadsABodyRollsUnder) {
  analysis_ = v1::AnalysisService::NewStub(channel_);
  const auto mesh = [&](const v1::MeshRollingLoadsRequest& request,
                        milliseconds patience = milliseconds(60'000)) {
    return Call(*analysis_, &AnalysisStub::MeshRollingLoads, request, patience);
  };
  v1::MeshRollingLoadsRequest request;
  *request.mutable_body() = TroughBall(0.0);
  request.add_axes()->mutable_torque_world_n_m()->set_x(1.0);
  request.add_axes()->mutable_torque_world_n_m()->set_y(1.0);
  request.add_axes()->mutable_torque_world_n_m()->set_z(1.0);
  request.set_reach(1e3);
  request.set_cells(2);
  request.set_obj(true);
  const auto reply = mesh(request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  EXPECT_EQ(reply.response.vertices_size(), 3 * 18);
  EXPECT_EQ(reply.response.triangles_size(), 3 * 32);
  ASSERT_EQ(reply.response.exits_size(), 32);
  EXPECT_EQ(std::ranges::count(reply.response.exits(), v1::ROLLING_EXIT_NONE), 0);
  EXPECT_GT(std::ranges::count(reply.response.exits(), v1::ROLLING_EXIT_SLIP_SLIP), 0);
  EXPECT_EQ(std::ranges::count(reply.response.obj(), 'v'), 18);

  const auto refused = [&](const v1::MeshRollingLoadsRequest& wrong, const std::string& field) {
    const auto answer = mesh(wrong);
    EXPECT_TRUE(
        FailedWith(answer, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
    EXPECT_EQ(answer.detail.field(), field);
  };
  v1::MeshRollingLoadsRequest wrong = request;
  wrong.mutable_body()->set_mass_kg(0.0);
  refused(wrong, "body.mass_kg");
  wrong = request;
  wrong.mutable_body()->mutable_contacts()->RemoveLast();
  refused(wrong, "size(body.contacts)");
  wrong = request;
  wrong.mutable_axes()->RemoveLast();
  refused(wrong, "size(axes)");
  *wrong.add_axes() = request.axes(0);
  refused(wrong, "axes");
  wrong = request;
  wrong.set_cells(33);
  refused(wrong, "cells");
  wrong.set_cells(2);
  wrong.set_reach(-1.0);
  refused(wrong, "reach");
  *wrong.mutable_body() = TroughBall(60.0);
  wrong.set_reach(1.0);
  refused(wrong, "body");
  // Longer than anybody waits.
  request.set_cells(32);
  EXPECT_EQ(mesh(request, milliseconds(200)).status.error_code(),
            grpc::StatusCode::DEADLINE_EXCEEDED);
  request.set_cells(1);
  EXPECT_TRUE(mesh(request).ok());
}

TEST_F(RollingAnalysisTest, MeshesTheSurfaceOfTheTrough) {
  analysis_ = v1::AnalysisService::NewStub(channel_);
  const auto mesh = [&](const v1::MeshTroughSurfaceRequest& request) {
    return Call(*analysis_, &AnalysisStub::MeshTroughSurface, request);
  };
  v1::MeshTroughSurfaceRequest request;
  const auto reply = mesh(request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  const int vertices = reply.response.vertices_size() / 3;
  const int triangles = reply.response.exits_size();
  EXPECT_EQ(reply.response.triangles_size(), 3 * triangles);
  // Closed, without holes or handles: V - E + F = 2 with E = 3 F / 2.
  EXPECT_EQ(2 * vertices - triangles, 4);
  double top = 0.0;
  for (int i = 2; i < 3 * vertices; i += 3) top = std::max(top, reply.response.vertices(i));
  EXPECT_NEAR(top, FindTroughMarks(0.3, 1.0).m_z3, 1e-12);
  EXPECT_TRUE(reply.response.obj().empty());

  request.set_cells(2);
  request.set_body(v1::TROUGH_BODY_ALL_FACES);
  request.set_obj(true);
  const auto file = mesh(request);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(std::ranges::count(file.response.obj(), 'v'), file.response.vertices_size() / 3);

  const auto refused = [&](const v1::MeshTroughSurfaceRequest& wrong, const std::string& field) {
    const auto answer = mesh(wrong);
    EXPECT_TRUE(
        FailedWith(answer, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
    EXPECT_EQ(answer.detail.field(), field);
  };
  // The largest there is fits into a message with its file.
  request.set_cells(64);
  const auto largest = mesh(request);
  ASSERT_TRUE(largest.ok()) << largest.status.error_message();
  EXPECT_GT(largest.response.obj().size(), 20'000'000u);
  request.set_cells(65);
  refused(request, "cells");
  request.set_cells(2);
  request.set_sliding_friction(1.0);
  refused(request, "sliding_friction");
  request.clear_sliding_friction();
  request.set_inertia_ratio(0.0);
  refused(request, "inertia_ratio");
  request.clear_inertia_ratio();
  request.set_body(static_cast<v1::TroughBody>(7));
  refused(request, "body");
}

}  // namespace
}  // namespace talus::testing
