// AnalysisService and the contact problems that steps keep.
#include <algorithm>
#include <future>

#include "talus/v1/analysis_service.grpc.pb.h"
#include "tests/integration/server_fixture.h"
#include "tests/support/problem_files.h"

namespace talus::testing {
namespace {

using AnalysisStub = v1::AnalysisService::Stub;
using QueryStub = v1::QueryService::Stub;

class AnalysisTest : public ServerTest {
 protected:
  void SetUp() override { StartServer(); }

  Reply<v1::SolveContactProblemResponse> Solve(const v1::SolveContactProblemRequest& request,
                                               milliseconds patience = milliseconds(60'000)) {
    if (analysis_ == nullptr) analysis_ = v1::AnalysisService::NewStub(channel_);
    return Call(*analysis_, &AnalysisStub::SolveContactProblem, request, patience);
  }

  static v1::SolveContactProblemRequest OfFile(const std::string& name) {
    v1::SolveContactProblemRequest request;
    request.set_file(ReadProblemText(name));
    return request;
  }

  std::unique_ptr<AnalysisStub> analysis_;
};

TEST_F(AnalysisTest, SolvesAFile) {
  v1::SolveContactProblemRequest request = OfFile("pl_m03r3_56_3000");
  request.set_solution_format(v1::PROBLEM_FILE_FORMAT_JSON);
  request.set_residual_history(true);
  const auto reply = Solve(request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  const v1::SolveContactProblemResponse& solved = reply.response;
  EXPECT_EQ(solved.outcome(), v1::SOLVE_OUTCOME_CONVERGED);
  EXPECT_LE(solved.residual(), 1e-8);
  EXPECT_GT(solved.block_count(), 0);
  EXPECT_EQ(solved.impulses_size(), 6 * solved.block_count());
  EXPECT_EQ(solved.velocities_size(), 6 * solved.block_count());
  EXPECT_EQ(solved.residual_history_size(), solved.sweep_count());
  EXPECT_FALSE(solved.name().empty());
  const auto file = ReadJsonProblem(solved.solution_file());
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->reference_impulse);
  for (int i = 0; i < solved.impulses_size(); ++i) {
    EXPECT_EQ((*file->reference_impulse)[i], solved.impulses(i));
  }
}

TEST_F(AnalysisTest, TakesHdf5WhereItIsToldTo) {
  v1::SolveContactProblemRequest request = OfFile("pl_m03r3_13_1000");
  request.set_solution_format(v1::PROBLEM_FILE_FORMAT_FCLIB);
  const auto written = Solve(request);
  ASSERT_TRUE(written.ok()) << written.status.error_message();
  request.set_file(written.response.solution_file());
  request.clear_solution_format();
  const auto refused = Solve(request);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(refused.detail.field(), "file");
  StopServer();
  SceneHostOptions options = DefaultOptions();
  options.accept_hdf5 = true;
  StartServer(options);
  analysis_.reset();
  const auto solved = Solve(request);
  ASSERT_TRUE(solved.ok()) << solved.status.error_message();
  EXPECT_LE(solved.response.residual(), 1e-8);
  EXPECT_EQ(solved.response.block_count(), written.response.block_count());
}

TEST_F(AnalysisTest, ShortOfTheToleranceIsAnAnswer) {
  v1::SolveContactProblemRequest request = OfFile("pl_m03r3_159_6000");
  request.set_tolerance(1e-14);
  request.set_max_sweeps(3);
  const auto reply = Solve(request);
  ASSERT_TRUE(reply.ok()) << reply.status.error_message();
  EXPECT_EQ(reply.response.outcome(), v1::SOLVE_OUTCOME_SWEEP_LIMIT);
  EXPECT_GT(reply.response.residual(), 1e-14);
}

TEST_F(AnalysisTest, RefusesWithTheFieldByName) {
  const auto field_of = [&](const v1::SolveContactProblemRequest& request) {
    const auto reply = Solve(request);
    EXPECT_TRUE(
        FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
    return reply.detail.field();
  };
  v1::SolveContactProblemRequest request;
  EXPECT_EQ(field_of(request), "input");
  request.set_file("{");
  EXPECT_EQ(field_of(request), "file");
  request.set_file(R"({"format": "contact-problem/1"})");
  EXPECT_EQ(field_of(request), "file.name");
  request = OfFile("pl_m03r3_13_1000");
  request.set_solver(v1::PROBLEM_SOLVER_ADMM);
  EXPECT_EQ(field_of(request), "solver");
  request = OfFile("pl_m03r3_13_1000");
  request.set_tolerance(0.0);
  EXPECT_EQ(field_of(request), "tolerance");
  request = OfFile("pl_m03r3_13_1000");
  request.set_law(static_cast<v1::ContactLaw>(77));
  EXPECT_EQ(field_of(request), "law");
  request.clear_law();
  request.mutable_problem()->add_sliding_frictions(0.5);
  EXPECT_EQ(field_of(request), "size(problem.spinning_frictions_m)");
}

TEST_F(AnalysisTest, PsorIteratesAsItIsTold) {
  constexpr double kTolerance = 1e-10;
  v1::SolveContactProblemRequest request = OfFile("pl_m03r3_13_1000");
  request.set_law(v1::CONTACT_LAW_CCP);
  request.set_tolerance(kTolerance);
  v1::SolveContactProblemResponse plain;
  // How many sweeps it takes; the velocities must be those of the defaults.
  const auto count = [&](v1::ProblemSolver solver) {
    request.set_solver(solver);
    const auto reply = Solve(request);
    EXPECT_TRUE(reply.ok()) << reply.status.error_message();
    EXPECT_EQ(reply.response.outcome(), v1::SOLVE_OUTCOME_CONVERGED);
    EXPECT_LE(reply.response.residual(), kTolerance);
    if (plain.velocities().empty()) plain = reply.response;
    EXPECT_EQ(reply.response.velocities_size(), plain.velocities_size());
    for (int i = 0; i < reply.response.velocities_size(); ++i) {
      EXPECT_NEAR(reply.response.velocities(i), plain.velocities(i), 1e-7) << i;
    }
    return reply.response.sweep_count();
  };
  const int defaults = count(v1::PROBLEM_SOLVER_PSOR);
  const int accelerated = count(v1::PROBLEM_SOLVER_ACCELERATED_PSOR);
  v1::PsorSettings& psor = *request.mutable_psor();
  EXPECT_EQ(count(v1::PROBLEM_SOLVER_PSOR), defaults);
  psor.set_relaxation(1.4);
  EXPECT_LT(count(v1::PROBLEM_SOLVER_PSOR), defaults);
  EXPECT_NE(count(v1::PROBLEM_SOLVER_ACCELERATED_PSOR), accelerated);
  psor.set_relaxation(0.3);
  const int relaxed = count(v1::PROBLEM_SOLVER_PSOR);
  EXPECT_GT(relaxed, defaults);
  psor.set_averaging(0.6);
  EXPECT_GT(count(v1::PROBLEM_SOLVER_PSOR), relaxed);
  psor.clear_averaging();
  psor.set_sequential(false);
  EXPECT_GT(count(v1::PROBLEM_SOLVER_PSOR), relaxed);
}

TEST_F(AnalysisTest, SolvesUnderLawsWithFlatSides) {
  v1::SolveContactProblemRequest request = OfFile("pl_m03r3_13_1000");
  for (const v1::ContactLaw law :
       {v1::CONTACT_LAW_BOX, v1::CONTACT_LAW_POLYGONAL, v1::CONTACT_LAW_BRISTLE}) {
    request.set_law(law);
    for (const v1::ProblemSolver solver :
         {v1::PROBLEM_SOLVER_UNSPECIFIED, v1::PROBLEM_SOLVER_LEMKE}) {
      request.set_solver(solver);
      const auto reply = Solve(request);
      ASSERT_TRUE(reply.ok()) << reply.status.error_message();
      EXPECT_EQ(reply.response.outcome(), v1::SOLVE_OUTCOME_CONVERGED) << law;
      EXPECT_LE(reply.response.residual(), 1e-8);
      EXPECT_LE(reply.response.worst_contact_residual(), 1e-7);
      EXPECT_FALSE(reply.response.has_siconos_error());
      EXPECT_GT(reply.response.sweep_count(), 0);
      EXPECT_EQ(reply.response.impulses_size(), 6 * reply.response.block_count());
    }
  }
  request.set_law(v1::CONTACT_LAW_POLYGONAL);
  request.mutable_flat_law()->set_facet_count(7);
  const auto refused = Solve(request);
  EXPECT_TRUE(
      FailedWith(refused, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(refused.detail.field(), "flat_law.facet_count");
  EXPECT_EQ(refused.detail.allowed(), "must be even and in [4, 32]");
}

TEST_F(AnalysisTest, RefusesPsorSettingsByName) {
  struct Refusal {
    const char* field;
    const char* value;
    const char* allowed;
    v1::ProblemSolver solver;
    void (*spoil)(v1::PsorSettings&);
  };
  using Psor = v1::PsorSettings;
  constexpr auto kPsor = v1::PROBLEM_SOLVER_PSOR;
  constexpr auto kAccelerated = v1::PROBLEM_SOLVER_ACCELERATED_PSOR;
  const Refusal refusals[] = {
      {"psor.relaxation", "0", "must be in (0, 2)", kPsor, [](Psor& p) { p.set_relaxation(0.0); }},
      {"psor.relaxation", "2", "must be in (0, 2)", kPsor, [](Psor& p) { p.set_relaxation(2.0); }},
      {"psor.averaging", "0", "must be in (0, 1]", kPsor, [](Psor& p) { p.set_averaging(0.0); }},
      {"psor.averaging", "1.5", "must be in (0, 1]", kAccelerated,
       [](Psor& p) { p.set_averaging(1.5); }},
      {"psor.sequential", "false", "must be true with momentum", kAccelerated,
       [](Psor& p) { p.set_sequential(false); }},
      {"psor", "given", "must be left out unless solver is PSOR or ACCELERATED_PSOR",
       v1::PROBLEM_SOLVER_ADMM, [](Psor& p) { p.set_relaxation(1.4); }}};
  for (const Refusal& refusal : refusals) {
    v1::SolveContactProblemRequest request = OfFile("pl_m03r3_13_1000");
    request.set_law(v1::CONTACT_LAW_CCP);
    request.set_solver(refusal.solver);
    refusal.spoil(*request.mutable_psor());
    const auto reply = Solve(request);
    EXPECT_TRUE(
        FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
    EXPECT_EQ(reply.detail.field(), refusal.field);
    EXPECT_EQ(reply.detail.value(), refusal.value);
    EXPECT_EQ(reply.detail.allowed(), refusal.allowed);
  }
}

TEST_F(AnalysisTest, HeedsTheDeadline) {
  v1::SolveContactProblemRequest request = OfFile("mf_multi_redundant_64");
  // Some 70 000 sweeps: seconds.
  request.set_solver(v1::PROBLEM_SOLVER_ALART_CURNIER);
  request.set_tolerance(1e-14);
  request.set_max_sweeps(1'000'000);
  const auto reply = Solve(request, milliseconds(100));
  EXPECT_EQ(reply.status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  // The thread is free again: the next call is answered.
  EXPECT_TRUE(Solve(OfFile("pl_m03r3_13_1000")).ok());
}

TEST_F(AnalysisTest, AStepProblemWaitsForNoAnalysis) {
  CreateScene("a", TenBalls());
  v1::StepRequest step;
  step.set_scene("scenes/a");
  step.set_step_count(120);
  step.set_problem_capture(v1::PROBLEM_CAPTURE_ALWAYS);
  ASSERT_TRUE(Step(step).ok());
  std::promise<void> go_on;
  std::promise<void> ended;
  host_->analyses().Submit<int>(
      "somebody", nullptr,
      [&](const AnalysisQueue::Stop&) {
        go_on.get_future().wait();
        return 1;
      },
      [&](const auto&) { ended.set_value(); });
  v1::GetStepProblemRequest ask;
  ask.set_scene("scenes/a");
  const auto kept = Call(*queries_, &QueryStub::GetStepProblem, ask, milliseconds(10'000));
  EXPECT_TRUE(kept.ok()) << kept.status.error_message();
  go_on.set_value();
  ended.get_future().wait();
}

TEST_F(AnalysisTest, AStepKeepsItsProblem) {
  CreateScene("a", TenBalls());
  v1::GetStepProblemRequest ask;
  ask.set_scene("scenes/a");
  EXPECT_TRUE(FailedWith(Call(*queries_, &QueryStub::GetStepProblem, ask),
                         grpc::StatusCode::NOT_FOUND, v1::ERROR_REASON_NOT_FOUND));
  v1::StepRequest step;
  step.set_scene("scenes/a");
  step.set_step_count(120);
  step.set_problem_capture(v1::PROBLEM_CAPTURE_ALWAYS);
  step.mutable_selection()->set_contacts(true);
  step.mutable_selection()->set_report(true);
  const auto stepped = Step(step);
  ASSERT_TRUE(stepped.ok()) << stepped.status.error_message();
  const v1::Frame& frame = stepped.response.frame();
  const auto kept = Call(*queries_, &QueryStub::GetStepProblem, ask);
  ASSERT_TRUE(kept.ok()) << kept.status.error_message();
  EXPECT_EQ(kept.response.step_index(), 120);
  EXPECT_EQ(kept.response.residual(), frame.report().residual());
  ASSERT_EQ(kept.response.impulses_size(), frame.contacts().wrenches_contact_size());
  // Impulse = wrench times the time step.
  const double h = GetScene("a").settings().time_step_s();
  for (int i = 0; i < kept.response.impulses_size(); ++i) {
    EXPECT_NEAR(kept.response.impulses(i), h * frame.contacts().wrenches_contact(i), 1e-12);
  }
  // What was kept is a problem that can be sent back, as message and as file.
  v1::SolveContactProblemRequest solve;
  *solve.mutable_problem() = kept.response.problem();
  const auto solved = Solve(solve);
  ASSERT_TRUE(solved.ok()) << solved.status.error_message();
  EXPECT_LE(solved.response.residual(), 1e-8);
  EXPECT_EQ(solved.response.name(), "scenes/a/steps/120");
  ask.set_file_format(v1::PROBLEM_FILE_FORMAT_JSON);
  const auto file = Call(*queries_, &QueryStub::GetStepProblem, ask);
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file.response.has_problem());
  solve.set_file(file.response.file());
  const auto again = Solve(solve);
  ASSERT_TRUE(again.ok()) << again.status.error_message();
  // The file holds W itself, the message what W is made of.
  EXPECT_LE(again.response.residual(), 1e-8);
}

TEST_F(AnalysisTest, RefusesAnUnknownCapture) {
  CreateScene("a", TenBalls());
  v1::StepRequest step;
  step.set_scene("scenes/a");
  step.set_problem_capture(static_cast<v1::ProblemCapture>(9));
  const auto reply = Step(step);
  EXPECT_TRUE(
      FailedWith(reply, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(reply.detail.field(), "problem_capture");
}

}  // namespace
}  // namespace talus::testing
