// Laws with flat sides through the service: the bits of the library, their settings back, their
// refusals, and the problem of a step.
#include <Eigen/Core>

#include "server/wire/scene_codec.h"
#include "solver/solvers/pivoting.h"
#include "solver/world/world.h"
#include "talus/v1/analysis_service.grpc.pb.h"
#include "tests/integration/server_fixture.h"
#include "tests/scenes/single_body.h"
#include "tests/support/flat_law_scenes.h"

namespace talus::testing {
namespace {

constexpr int64_t kSteps = 40;

uint64_t HashOfTheLibrary(const SceneDef& scene) {
  absl::StatusOr<World> world = World::Create(scene);
  EXPECT_TRUE(world.ok()) << world.status();
  WorkerArena workers(1);
  for (int64_t step = 0; step < kSteps; ++step) EXPECT_TRUE(world->Step(workers).ok());
  return world->state_hash();
}

class FlatLawsService : public ServerTest {
 protected:
  void SetUp() override { StartServer(); }
};

TEST_F(FlatLawsService, StepsToTheBitsOfTheLibrary) {
  for (const ContactLaw law : {ContactLaw::kBox, ContactLaw::kPolygonal, ContactLaw::kBristle}) {
    const std::string id = "law" + std::to_string(static_cast<int>(law));
    const SceneDef scene = MakeFlatLawScene(law);
    const auto created = CreateScene(id, scene);
    ASSERT_TRUE(created.ok()) << created.status.error_message();
    const auto first = Step(id, kSteps / 2);
    ASSERT_TRUE(first.ok()) << first.status.error_message();
    EXPECT_EQ(first.response.unconverged_steps(), 0);
    // On from a fork: what bristles remember is in it.
    v1::ForkSceneRequest fork;
    fork.set_scene("scenes/" + id);
    fork.add_scene_ids(id + "-fork");
    const auto forked = Call(*snapshots_, &v1::SnapshotService::Stub::ForkScene, fork);
    ASSERT_TRUE(forked.ok()) << forked.status.error_message();
    for (const std::string& name : {id, id + "-fork"}) {
      ASSERT_TRUE(Step(name, kSteps / 2).ok());
      EXPECT_EQ(StateHash(name), HashOfTheLibrary(scene)) << name;
    }
  }
}

TEST_F(FlatLawsService, TellsTheSettingsAndTheProblemOfAStep) {
  CreateScene("a", MakeFlatLawScene(ContactLaw::kBristle));
  v1::StepRequest request;
  request.set_scene("scenes/a");
  request.set_step_count(3);
  request.set_residual_history(true);
  request.set_problem_capture(v1::PROBLEM_CAPTURE_ALWAYS);
  request.mutable_selection()->set_report(true);
  const auto stepped = Step(request);
  ASSERT_TRUE(stepped.ok()) << stepped.status.error_message();
  const v1::StepReport& report = stepped.response.frame().report();
  EXPECT_EQ(report.residual_history_size(), report.sweep_count());
  EXPECT_EQ(report.outcome(), v1::SOLVE_OUTCOME_CONVERGED);
  v1::GetStepProblemRequest problem;
  problem.set_scene("scenes/a");
  const auto kept = Call(*queries_, &v1::QueryService::Stub::GetStepProblem, problem);
  ASSERT_TRUE(kept.ok()) << kept.status.error_message();
  const v1::SolverSettings& settings = kept.response.settings();
  EXPECT_EQ(settings.law(), v1::CONTACT_LAW_BRISTLE);
  EXPECT_EQ(settings.solver(), v1::CONTACT_SOLVER_BLOCK_PIVOTING);
  EXPECT_EQ(settings.facet_count(), 6);
  EXPECT_EQ(settings.bristle_stiffness_n_m(), 1e7);
  EXPECT_EQ(settings.slip_threshold_m_s(), 0.01);
  EXPECT_EQ(kept.response.impulses_size(), 6 * report.contact_count());
  EXPECT_EQ(kept.response.old_impulses_size(), kept.response.impulses_size());
}

// The problem of a step is solved again elsewhere: from its message with what the bristles
// remembered, from its file, which holds that, and not without.
TEST_F(FlatLawsService, GivesTheProblemOfAStepWithWhatBristlesRemember) {
  // A ball on a slope: one contact, whose impulse is the only one.
  scenes::BallOnPlane ball;
  ball.material = {0.6, 0.0, 0.0, 0.0};
  SceneDef scene = ball.Build();
  scene.settings.gravity_world_m_s2 = Vec3(1.0, 0.5, -9.8);
  scene.settings.solver = MakeFlatLawScene(ContactLaw::kBristle).settings.solver;
  CreateScene("a", scene);
  v1::StepRequest request;
  request.set_scene("scenes/a");
  request.set_step_count(kSteps);
  request.set_problem_capture(v1::PROBLEM_CAPTURE_ALWAYS);
  ASSERT_TRUE(Step(request).ok());
  v1::GetStepProblemRequest ask;
  ask.set_scene("scenes/a");
  const auto kept = Call(*queries_, &v1::QueryService::Stub::GetStepProblem, ask);
  ASSERT_TRUE(kept.ok()) << kept.status.error_message();
  ask.set_file_format(v1::PROBLEM_FILE_FORMAT_JSON);
  const auto file = Call(*queries_, &v1::QueryService::Stub::GetStepProblem, ask);
  ASSERT_TRUE(file.ok()) << file.status.error_message();
  ask.set_file_format(v1::PROBLEM_FILE_FORMAT_FCLIB);
  EXPECT_EQ(Call(*queries_, &v1::QueryService::Stub::GetStepProblem, ask).detail.field(),
            "file_format");

  const auto analysis = v1::AnalysisService::NewStub(channel_);
  const Eigen::Map<const Eigen::VectorXd> impulse(kept.response.impulses().data(),
                                                  kept.response.impulses_size());
  ASSERT_EQ(impulse.size(), 6);
  // How far the impulses are from the step's, beside them.
  const auto distance = [&](v1::SolveContactProblemRequest solve) {
    solve.set_law(v1::CONTACT_LAW_BRISTLE);
    solve.set_tolerance(1e-12);
    v1::FlatLawSettings& law = *solve.mutable_flat_law();
    law.set_bristle_stiffness_n_m(kept.response.settings().bristle_stiffness_n_m());
    law.set_slip_threshold_m_s(kept.response.settings().slip_threshold_m_s());
    law.set_time_step_s(scene.settings.time_step_s);
    const auto solved = Call(*analysis, &v1::AnalysisService::Stub::SolveContactProblem, solve);
    EXPECT_TRUE(solved.ok()) << solved.status.error_message();
    EXPECT_EQ(solved.response.impulses_size(), impulse.size());
    if (solved.response.impulses_size() != impulse.size()) return 1.0;
    const Eigen::Map<const Eigen::VectorXd> ours(solved.response.impulses().data(), impulse.size());
    return (ours - impulse).norm() / impulse.norm();
  };
  v1::SolveContactProblemRequest solve;
  *solve.mutable_problem() = kept.response.problem();
  EXPECT_GT(distance(solve), 1e-5);
  *solve.mutable_flat_law()->mutable_old_impulses() = kept.response.old_impulses();
  EXPECT_LE(distance(solve), 1e-8);
  v1::SolveContactProblemRequest from_file;
  from_file.set_file(file.response.file());
  EXPECT_LE(distance(from_file), 1e-8);

  const auto refused = [&](const v1::SolveContactProblemRequest& wrong, const std::string& field) {
    const auto answer = Call(*analysis, &v1::AnalysisService::Stub::SolveContactProblem, wrong);
    EXPECT_TRUE(
        FailedWith(answer, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
    EXPECT_EQ(answer.detail.field(), field);
  };
  solve.set_law(v1::CONTACT_LAW_BOX);
  refused(solve, "flat_law.old_impulses");
  solve.set_law(v1::CONTACT_LAW_BRISTLE);
  solve.mutable_flat_law()->mutable_old_impulses()->RemoveLast();
  refused(solve, "size(flat_law.old_impulses)");
}

TEST_F(FlatLawsService, RefusesWhatNoLawIs) {
  SceneDef scene = MakeFlatLawScene(ContactLaw::kBox);
  scene.settings.solver.solver = SolverKind::kPsor;
  EXPECT_TRUE(FailedWith(CreateScene("a", scene), grpc::StatusCode::INVALID_ARGUMENT,
                         v1::ERROR_REASON_INVALID_FIELD));
  scene = MakeFlatLawScene(ContactLaw::kBristle);
  scene.settings.solver.warm_start = false;
  const auto forgetful = CreateScene("a", scene);
  EXPECT_TRUE(
      FailedWith(forgetful, grpc::StatusCode::INVALID_ARGUMENT, v1::ERROR_REASON_INVALID_FIELD));
  EXPECT_EQ(forgetful.detail.field(), "spec.settings.solver.warm_start");
}

TEST_F(FlatLawsService, EndsAStepOfTooManyContactsWhereItIs) {
  SceneDef scene = scenes::BallOnPlane{}.Build();
  scene.settings.solver.law = ContactLaw::kPolygonal;
  const BodyDef ball = scene.bodies[1];
  for (size_t i = 1; i <= kMaxPivotedBlocks; ++i) {
    BodyDef next = ball;
    next.name = "ball" + std::to_string(i);
    next.pose_world.position.x() += 3.0 * static_cast<double>(i);
    // The last one arrives later.
    next.pose_world.position.z() += i == kMaxPivotedBlocks ? 0.2 : 0.0;
    scene.bodies.push_back(next);
  }
  CreateScene("many", scene);
  const auto stepped = Step("many", 1000);
  EXPECT_TRUE(
      FailedWith(stepped, grpc::StatusCode::RESOURCE_EXHAUSTED, v1::ERROR_REASON_LIMIT_REACHED));
  EXPECT_EQ(stepped.detail.field(), "size(contacts)");
  const int64_t done = stepped.detail.steps_done();
  EXPECT_GT(done, 5);
  EXPECT_LT(done, 100);
  const v1::SceneInfo info = GetScene("many");
  EXPECT_EQ(info.step_index(), done);
  EXPECT_EQ(info.fault(), "");
}

}  // namespace
}  // namespace talus::testing
