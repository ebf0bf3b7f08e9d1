// Contact problems there and back, and what is refused by name.
#include "server/wire/problem_codec.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "solver/base/field_error.h"
#include "tests/support/problem_files.h"

namespace talus::wire {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

v1::ContactProblem MessageOf(const std::string& name, bool by_velocities) {
  MatrixProblem problem = talus::testing::LoadProblem(name).problem;
  if (!by_velocities) problem.velocities.reset();
  v1::ContactProblem message;
  EncodeProblem(problem, message);
  return message;
}

TEST(ProblemCodec, KeepsEveryBit) {
  MatrixProblem problem = talus::testing::LoadProblem("pl_m03r3_56_3000").problem;
  problem.velocities.reset();
  problem.compliance = Eigen::VectorXd::LinSpaced(problem.row_count(), 0.0, 1e-3);
  problem.laws[3].kind = BlockLawKind::kBounds;
  problem.laws[3].lower.setConstant(-kInfinity);
  problem.laws[3].upper.setConstant(2.5);
  v1::ContactProblem message;
  EncodeProblem(problem, message);
  const auto back = DecodeProblem(message);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->delassus.ToDense(), problem.delassus.ToDense());
  EXPECT_EQ(back->free_rows, problem.free_rows);
  EXPECT_EQ(back->compliance, problem.compliance);
  ASSERT_EQ(back->block_count(), problem.block_count());
  for (size_t i = 0; i < problem.block_count(); ++i) {
    EXPECT_EQ(back->laws[i].kind, problem.laws[i].kind);
    EXPECT_EQ(back->laws[i].cone.sliding, problem.laws[i].cone.sliding);
    EXPECT_EQ(back->laws[i].cone.rolling, problem.laws[i].cone.rolling);
    EXPECT_EQ(back->laws[i].cone.spinning, problem.laws[i].cone.spinning);
  }
  EXPECT_EQ(back->laws[3].lower, problem.laws[3].lower);
  EXPECT_EQ(back->laws[3].upper, problem.laws[3].upper);
}

TEST(ProblemCodec, FormsTheProblemFromVelocities) {
  const MatrixProblem problem = talus::testing::LoadProblem("pl_m03r3_13_1000").problem;
  ASSERT_TRUE(problem.velocities);
  const v1::ContactProblem message = MessageOf("pl_m03r3_13_1000", true);
  EXPECT_FALSE(message.has_delassus());
  const auto back = DecodeProblem(message);
  ASSERT_TRUE(back.ok()) << back.status();
  ASSERT_TRUE(back->velocities);
  const Eigen::MatrixXd w = problem.delassus.ToDense();
  EXPECT_LE((back->delassus.ToDense() - w).cwiseAbs().maxCoeff(), 1e-12 * w.cwiseAbs().maxCoeff());
}

// What is given twice must be the same.
TEST(ProblemCodec, TheProblemOfTheVelocitiesMayStandBesideThem) {
  const v1::ContactProblem whole = MessageOf("pl_m03r3_13_1000", false);
  v1::ContactProblem message = MessageOf("pl_m03r3_13_1000", true);
  *message.mutable_delassus() = whole.delassus();
  *message.mutable_free_rows() = whole.free_rows();
  const auto back = DecodeProblem(message);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_TRUE(back->velocities);
  const auto refuse = [](const v1::ContactProblem& wrong, const std::string& field) {
    const auto parts = GetFieldError(DecodeProblem(wrong).status());
    ASSERT_TRUE(parts) << DecodeProblem(wrong).status();
    EXPECT_EQ(parts->field, field);
  };
  v1::ContactProblem wrong = message;
  wrong.set_free_rows(6, 1.001 * wrong.free_rows(6));
  refuse(wrong, "problem.free_rows[6]");
  wrong = message;
  for (double& value : *wrong.mutable_delassus()->mutable_values()) value *= 1.001;
  refuse(wrong, "problem.delassus[0][0]");
  // Half of it is no problem.
  wrong = message;
  wrong.clear_free_rows();
  refuse(wrong, "problem.free_rows.size");
}

struct Refusal {
  const char* field;
  bool by_velocities;
  std::function<void(v1::ContactProblem&)> spoil;
};

TEST(ProblemCodec, NamesTheFieldThatIsWrong) {
  using Problem = v1::ContactProblem;
  const Refusal refusals[] = {
      {"problem.sliding_frictions[2]", false, [](Problem& p) { p.set_sliding_frictions(2, -1.0); }},
      {"problem.rolling_frictions_m[0]", false,
       [](Problem& p) { p.set_rolling_frictions_m(0, kInfinity); }},
      {"size(problem.spinning_frictions_m)", false,
       [](Problem& p) { p.add_spinning_frictions_m(0.0); }},
      {"problem.free_rows[4]", false, [](Problem& p) { p.set_free_rows(4, kNaN); }},
      {"problem.free_rows.size", false, [](Problem& p) { p.mutable_free_rows()->RemoveLast(); }},
      {"problem.compliances[7]", false, [](Problem& p) { p.set_compliances(7, -1e-3); }},
      {"problem.delassus.rows[1]", false,
       [](Problem& p) { p.mutable_delassus()->set_rows(1, 1'000'000); }},
      {"size(problem.delassus.values)", false,
       [](Problem& p) { p.mutable_delassus()->add_values(1.0); }},
      {"problem.delassus", false, [](Problem& p) { p.mutable_delassus()->set_values(1, 1e9); }},
      {"problem.bounds[0].block", false, [](Problem& p) { p.add_bounds()->set_block(999); }},
      {"problem.bounds[0]", false, [](Problem& p) { p.add_bounds()->add_lower(1.0); }},
      {"problem.bounds[1].block", false,
       [](Problem& p) {
         for (const double side : {1.0, 2.0}) {
           v1::BlockBounds& bounds = *p.add_bounds();
           for (int row = 0; row < 6; ++row) {
             bounds.add_lower(-side);
             bounds.add_upper(side);
           }
         }
       }},
      {"problem.bounds[0].lower[0]", false,
       [](Problem& p) {
         v1::BlockBounds& bounds = *p.add_bounds();
         for (int row = 0; row < 6; ++row) {
           bounds.add_lower(1.0);
           bounds.add_upper(-1.0);
         }
       }},
      {"problem.sliding_frictions[1]", false, [](Problem& p) { p.set_sliding_frictions(1, 2e6); }},
      {"problem.free_rows[4]", false, [](Problem& p) { p.set_free_rows(4, -1e200); }},
      {"problem.delassus[0][0]", false,
       [](Problem& p) {
         for (double& value : *p.mutable_delassus()->mutable_values()) value *= 1e80;
       }},
      {"problem.delassus[0][0]", false,
       [](Problem& p) {
         for (double& value : *p.mutable_delassus()->mutable_values()) value *= 1e-300;
       }},
      {"problem.velocities.free_impulses[3]", true,
       [](Problem& p) { p.mutable_velocities()->set_free_impulses(3, 1e300); }},
      {"problem.velocities.offsets[3]", true,
       [](Problem& p) { p.mutable_velocities()->set_offsets(3, 1e300); }},
      {"problem.velocities.mass", true,
       [](Problem& p) { p.mutable_velocities()->mutable_mass()->set_values(0, -1.0); }},
      {"problem.velocities.mass.columns[3]", true,
       [](Problem& p) { p.mutable_velocities()->mutable_mass()->set_columns(3, 1u << 31); }},
      {"problem.velocities.offsets.size", true,
       [](Problem& p) { p.mutable_velocities()->add_offsets(0.0); }},
      {"size(problem.velocities.directions.columns)", true,
       [](Problem& p) { p.mutable_velocities()->mutable_directions()->add_columns(0); }},
  };
  for (const Refusal& refusal : refusals) {
    v1::ContactProblem message = MessageOf("pl_m03r3_13_1000", refusal.by_velocities);
    refusal.spoil(message);
    const auto decoded = DecodeProblem(message);
    ASSERT_FALSE(decoded.ok()) << refusal.field;
    const auto parts = GetFieldError(decoded.status());
    ASSERT_TRUE(parts) << decoded.status();
    EXPECT_EQ(parts->field, refusal.field);
  }
}

TEST(ProblemCodec, SettingsDefaultAndRefuse) {
  v1::SolveContactProblemRequest request;
  auto settings = DecodeProblemSettings(request);
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->law, ContactLaw::kNcp);
  EXPECT_EQ(settings->solver, matrix::ProblemSolver::kDefault);
  EXPECT_EQ(settings->tolerance, 1e-8);
  request.set_law(v1::CONTACT_LAW_CCP);
  request.set_tolerance(1e-3);
  request.set_max_sweeps(17);
  // Each solver of the schema is the one of the same name.
  for (const matrix::ProblemSolver solver : matrix::AllProblemSolvers()) {
    const auto value = static_cast<v1::ProblemSolver>(solver);
    ASSERT_TRUE(v1::ProblemSolver_IsValid(value));
    std::string name = v1::ProblemSolver_Name(value).substr(sizeof("PROBLEM_SOLVER_") - 1);
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    EXPECT_EQ(name == "unspecified" ? "default" : name, matrix::NameOf(solver));
    request.set_solver(value);
    settings = DecodeProblemSettings(request);
    ASSERT_TRUE(settings.ok());
    EXPECT_EQ(settings->solver, solver);
  }
  EXPECT_EQ(settings->law, ContactLaw::kCcp);
  EXPECT_EQ(settings->tolerance, 1e-3);
  EXPECT_EQ(settings->max_sweeps, 17);
  // The last two are of laws with flat sides.
  EXPECT_EQ(static_cast<int>(matrix::AllProblemSolvers().size()), v1::ProblemSolver_ARRAYSIZE - 2);
  for (const int wrong : {-1, 99, 256}) {
    request.set_solver(static_cast<v1::ProblemSolver>(wrong));
    EXPECT_FALSE(DecodeProblemSettings(request).ok()) << wrong;
  }
}

TEST(ProblemCodec, PsorHasWhatIsGivenAndDefaultsForTheRest) {
  const PsorSettings defaults;
  v1::SolveContactProblemRequest request;
  request.set_law(v1::CONTACT_LAW_CCP);
  request.set_solver(v1::PROBLEM_SOLVER_PSOR);
  const auto decode = [&] {
    const auto settings = DecodeProblemSettings(request);
    EXPECT_TRUE(settings.ok()) << settings.status();
    return settings.ok() ? settings->psor : PsorSettings{.relaxation = -1.0};
  };
  const auto expect = [&](const PsorSettings& expected) {
    const PsorSettings psor = decode();
    EXPECT_EQ(psor.relaxation, expected.relaxation);
    EXPECT_EQ(psor.averaging, expected.averaging);
    EXPECT_EQ(psor.sequential, expected.sequential);
  };
  expect(defaults);
  v1::PsorSettings& psor = *request.mutable_psor();
  expect(defaults);
  psor.set_relaxation(1.4);
  expect({.relaxation = 1.4});
  psor.set_averaging(0.6);
  expect({.relaxation = 1.4, .averaging = 0.6});
  psor.set_sequential(false);
  expect({.relaxation = 1.4, .averaging = 0.6, .sequential = false});
  // 0 is a value, not "unset".
  psor.set_relaxation(0.0);
  expect({.relaxation = 0.0, .averaging = 0.6, .sequential = false});
}

TEST(ProblemCodec, FlatLawsHaveWhatIsGivenAndDefaultsForTheRest) {
  v1::SolveContactProblemRequest request;
  EXPECT_FALSE(AsksForFlatLaw(request));
  const std::pair<v1::ContactLaw, ContactLaw> laws[] = {
      {v1::CONTACT_LAW_BOX, ContactLaw::kBox},
      {v1::CONTACT_LAW_POLYGONAL, ContactLaw::kPolygonal},
      {v1::CONTACT_LAW_BRISTLE, ContactLaw::kBristle}};
  for (const auto& [value, law] : laws) {
    request.Clear();
    request.set_law(value);
    EXPECT_TRUE(AsksForFlatLaw(request));
    auto settings = DecodeFlatProblemSettings(request);
    ASSERT_TRUE(settings.ok()) << settings.status();
    const lcp::FlatProblemSettings defaults;
    EXPECT_EQ(settings->law.law, law);
    EXPECT_EQ(settings->method, lcp::PivotMethod::kBlocksFirst);
    EXPECT_EQ(settings->tolerance, defaults.tolerance);
    EXPECT_EQ(settings->max_pivots, defaults.max_pivots);
    EXPECT_FALSE(settings->residual_history);
    EXPECT_EQ(settings->law.facet_count, defaults.law.facet_count);
    EXPECT_EQ(settings->law.bristles.stiffness, defaults.law.bristles.stiffness);
    request.set_solver(v1::PROBLEM_SOLVER_LEMKE);
    request.set_tolerance(1e-3);
    request.set_max_sweeps(17);
    request.set_residual_history(true);
    const bool polygonal = law == ContactLaw::kPolygonal;
    const bool bristle = law == ContactLaw::kBristle;
    v1::FlatLawSettings& flat = *request.mutable_flat_law();
    if (polygonal) flat.set_facet_count(0);  // a value, not "unset"
    if (bristle) {
      flat.set_bristle_stiffness_n_m(2e6);
      flat.set_slip_threshold_m_s(0.5);
      flat.set_time_step_s(0.25);
    }
    settings = DecodeFlatProblemSettings(request);
    ASSERT_TRUE(settings.ok()) << settings.status();
    EXPECT_EQ(settings->method, lcp::PivotMethod::kLemkeAlone);
    EXPECT_EQ(settings->tolerance, 1e-3);
    EXPECT_EQ(settings->max_pivots, 17);
    EXPECT_TRUE(settings->residual_history);
    const lcp::BristleSettings& given = settings->law.bristles;
    EXPECT_EQ(settings->law.facet_count, polygonal ? 0 : defaults.law.facet_count);
    EXPECT_EQ(given.stiffness, bristle ? 2e6 : defaults.law.bristles.stiffness);
    EXPECT_EQ(given.slip_threshold, bristle ? 0.5 : defaults.law.bristles.slip_threshold);
    EXPECT_EQ(given.time_step_s, bristle ? 0.25 : defaults.law.bristles.time_step_s);
  }
}

TEST(ProblemCodec, SettingsOfOtherLawsAreRefusedByName) {
  struct Wrong {
    v1::ContactLaw law;
    void (*spoil)(v1::SolveContactProblemRequest&);
    const char* field;
  };
  using Request = v1::SolveContactProblemRequest;
  const Wrong wrongs[] = {
      {v1::CONTACT_LAW_NCP, [](Request& r) { r.set_solver(v1::PROBLEM_SOLVER_LEMKE); }, "solver"},
      {v1::CONTACT_LAW_CCP, [](Request& r) { r.set_solver(v1::PROBLEM_SOLVER_BLOCK_PIVOTING); },
       "solver"},
      {v1::CONTACT_LAW_CCP, [](Request& r) { r.mutable_flat_law(); }, "flat_law"},
      {v1::CONTACT_LAW_BOX, [](Request& r) { r.set_solver(v1::PROBLEM_SOLVER_NSGS); }, "solver"},
      {v1::CONTACT_LAW_BOX, [](Request& r) { r.set_solver(static_cast<v1::ProblemSolver>(99)); },
       "solver"},
      {v1::CONTACT_LAW_BRISTLE, [](Request& r) { r.mutable_psor(); }, "psor"},
      {v1::CONTACT_LAW_BOX, [](Request& r) { r.mutable_flat_law()->set_facet_count(8); },
       "flat_law.facet_count"},
      {v1::CONTACT_LAW_BRISTLE, [](Request& r) { r.mutable_flat_law()->set_facet_count(8); },
       "flat_law.facet_count"},
      {v1::CONTACT_LAW_POLYGONAL,
       [](Request& r) { r.mutable_flat_law()->set_bristle_stiffness_n_m(1e6); },
       "flat_law.bristle_stiffness_n_m"},
      {v1::CONTACT_LAW_BOX, [](Request& r) { r.mutable_flat_law()->set_slip_threshold_m_s(0.1); },
       "flat_law.slip_threshold_m_s"},
      {v1::CONTACT_LAW_BOX, [](Request& r) { r.mutable_flat_law()->set_time_step_s(0.1); },
       "flat_law.time_step_s"},
      {v1::CONTACT_LAW_POLYGONAL, [](Request& r) { r.mutable_flat_law()->add_old_impulses(0.1); },
       "flat_law.old_impulses"}};
  for (const Wrong& wrong : wrongs) {
    Request request;
    request.set_law(wrong.law);
    wrong.spoil(request);
    const absl::Status status = AsksForFlatLaw(request)
                                    ? DecodeFlatProblemSettings(request).status()
                                    : DecodeProblemSettings(request).status();
    const auto parts = GetFieldError(status);
    ASSERT_TRUE(parts) << status;
    EXPECT_EQ(parts->field, wrong.field);
  }
}

TEST(ProblemCodec, SiconosErrorIsLeftOutWhereThereIsNone) {
  matrix::ProblemSolution solution;
  v1::SolveContactProblemResponse response;
  EncodeSolution(solution, response);
  EXPECT_TRUE(response.has_siconos_error());
  solution.certificate.siconos_error = std::numeric_limits<double>::quiet_NaN();
  response.Clear();
  EncodeSolution(solution, response);
  EXPECT_FALSE(response.has_siconos_error());
}

TEST(ProblemCodec, PsorIsOfItsSolversAlone) {
  v1::SolveContactProblemRequest request;
  request.mutable_psor();
  for (const matrix::ProblemSolver solver : matrix::AllProblemSolvers()) {
    request.set_solver(static_cast<v1::ProblemSolver>(solver));
    const auto settings = DecodeProblemSettings(request);
    const bool takes =
        solver == matrix::ProblemSolver::kPsor || solver == matrix::ProblemSolver::kAcceleratedPsor;
    EXPECT_EQ(settings.ok(), takes) << matrix::NameOf(solver);
    if (takes) continue;
    const auto parts = GetFieldError(settings.status());
    ASSERT_TRUE(parts) << settings.status();
    EXPECT_EQ(parts->field, "psor");
    EXPECT_EQ(parts->allowed, "must be left out unless solver is PSOR or ACCELERATED_PSOR");
  }
}

}  // namespace
}  // namespace talus::wire
