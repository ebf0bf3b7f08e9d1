#include "solver/solvers/contact_solver.h"

#include <gtest/gtest.h>

#include <tuple>

#include "solver/contact/chunk_loop.h"
#include "solver/contact/residual.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

using testing::MakeSphereLattice;
using testing::TestProblem;

constexpr Material kRough{0.6, 0.005, 0.004, 0.0};

// The answer by contact and by body row.
struct Answer {
  std::vector<ContactImpulse> impulses;  // world
  std::vector<Wrench> wrenches;
  std::vector<uint8_t> modes;
  std::vector<Vec3> linear_velocities;
  std::vector<Vec3> angular_velocities;
};

struct Solved {
  SolveReport report;
  Answer solution;
};

// Zero impulses are not kept.
struct KeptImpulses {
  std::vector<uint32_t> entries;
  std::vector<CachedImpulse> impulses;

  explicit KeptImpulses(const std::vector<ContactImpulse>& all) {
    for (const ContactImpulse& impulse : all) {
      entries.push_back(impulse.IsZero() ? kNotKept : static_cast<uint32_t>(impulses.size()));
      if (!impulse.IsZero()) impulses.push_back({impulse.linear, impulse.angular});
    }
  }
};

Solved Solve(const TestProblem& problem, const SolverSettings& settings, int worker_count = 1,
             const std::vector<ContactImpulse>* warm = nullptr, bool history = true) {
  WorkerArena workers(worker_count);
  ContactSolver solver;
  const KeptImpulses kept(warm != nullptr ? *warm : std::vector<ContactImpulse>());
  ContactSolution solution;
  solution.slots = kept.entries;  // as a step does it: solved over
  Solved solved;
  Answer& answer = solved.solution;
  answer.linear_velocities = problem.bodies.linear;
  answer.angular_velocities = problem.bodies.angular;
  solved.report = solver.Solve(
      workers, problem.bodies.view(), problem.contacts, {solution.slots, kept.impulses},
      problem.assembly, settings, {.residual_history = history},
      {answer.linear_velocities, answer.angular_velocities}, solution, nullptr);
  for (size_t i = 0; i < problem.contacts.size(); ++i) {
    answer.impulses.push_back(solution.impulse(i, problem.contacts[i].normal));
    answer.wrenches.push_back(solution.wrench(i));
  }
  answer.modes = solution.modes;
  return solved;
}

SolverSettings Settings(ContactLaw law, SolverKind kind, double tolerance, int32_t max_sweeps) {
  SolverSettings settings;
  settings.law = law;
  settings.solver = kind;
  settings.tolerance = tolerance;
  settings.max_sweeps = max_sweeps;
  return settings;
}

struct Case {
  const char* name;
  ContactLaw law;
  SolverKind kind;
  double tolerance;  // within reach on a kicked cubic lattice, which is hyperstatic and as hard as
                     // problems get
};

// The residual again from what the caller gets, through the public definition only.
double MeasureFromOutside(const TestProblem& problem, ContactLaw law, const Solved& solved) {
  WorkerArena workers(1);
  const testing::AssembledProblem assembled = testing::Assemble(problem);
  std::vector<WrenchBlock> impulse(assembled.blocks.size());
  ForEachSlot(workers, assembled, [&](uint32_t block, size_t lane, uint32_t contact) {
    impulse[block].Set(lane, solved.solution.wrenches[contact]);
  });
  std::vector<BodyMotion> motion = assembled.free_motion;
  for (size_t row = 0; row < assembled.rows.count(); ++row) {
    const uint32_t body = assembled.rows.body[row];
    motion[row].Set(solved.solution.linear_velocities[body],
                    solved.solution.angular_velocities[body]);
  }
  return ComputeResidual(workers, assembled, law, impulse, motion);
}

class EverySolver : public ::testing::TestWithParam<Case> {};

// With a history all sweeps are in double precision, without one most may be in single.
class WithAndWithoutHistory : public ::testing::TestWithParam<std::tuple<Case, bool>> {
 protected:
  const Case& param() const { return std::get<0>(GetParam()); }
  bool history() const { return std::get<1>(GetParam()); }
};

TEST_P(WithAndWithoutHistory, ReachesItsToleranceAndMeansIt) {
  const TestProblem problem = MakeSphereLattice(125, kRough, 5);
  const Solved solved =
      Solve(problem, Settings(param().law, param().kind, param().tolerance, 20000), 1, nullptr,
            history());
  EXPECT_EQ(solved.report.outcome, SolveOutcome::kConverged);
  EXPECT_LE(solved.report.residual, param().tolerance);
  EXPECT_LE(MeasureFromOutside(problem, param().law, solved), 1.001 * param().tolerance);
}

// From 1024 contacts and a tolerance of 1e-4 on, blocks are of floats: the residual is that of the
// geometry in doubles all the same.
TEST(LooseSolves, OfManyContactsMeanTheirResidual) {
  const TestProblem problem = MakeSphereLattice(1000, kRough, 5);
  ASSERT_GT(problem.contacts.size(), 1024u);
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    const auto error = [&](double tolerance) {
      const Solved solved = Solve(problem, Settings(law, SolverKind::kLawDefault, tolerance, 3000),
                                  1, nullptr, false);
      EXPECT_LE(solved.report.residual, 2e-3);  // NCP comes no further here
      return std::abs(MeasureFromOutside(problem, law, solved) - solved.report.residual);
    };
    const double of_floats = error(1e-4);
    EXPECT_GT(of_floats, 0.0);
    EXPECT_LE(of_floats, 1e-6);
    EXPECT_LE(error(0.99e-4), 1e-12);
  }
}

TEST_P(WithAndWithoutHistory, ConservesMomentum) {
  const TestProblem problem = MakeSphereLattice(64, kRough, 6);
  const Solved solved =
      Solve(problem, Settings(param().law, param().kind, 1e-3, 500), 1, nullptr, history());
  Vec3 change = Vec3::Zero();
  Vec3 from_floor = Vec3::Zero();
  for (size_t row = 1; row < problem.bodies.positions.size(); ++row) {
    change += (solved.solution.linear_velocities[row] - problem.bodies.linear[row]) /
              problem.bodies.inverse_masses[row];
  }
  for (size_t i = 0; i < problem.contacts.size(); ++i) {
    if (problem.contacts[i].body_a == 0) from_floor += solved.solution.impulses[i].linear;
  }
  EXPECT_LE((change - from_floor).norm(), 1e-13);
}

TEST_P(WithAndWithoutHistory, SameBitsForAnyWorkerCount) {
  // Newton factorises for seconds what the others sweep over in milliseconds.
  const TestProblem problem =
      MakeSphereLattice(param().kind == SolverKind::kNewton ? 500 : 1500, kRough, 7);
  const SolverSettings settings = Settings(param().law, param().kind, 1e-3, 60);
  const Solved one = Solve(problem, settings, 1, nullptr, history());
  for (int worker_count : {2, 3, 7}) {
    const Solved many = Solve(problem, settings, worker_count, nullptr, history());
    EXPECT_EQ(one.report.residual, many.report.residual);
    EXPECT_EQ(one.report.residual_history, many.report.residual_history);
    for (size_t i = 0; i < problem.contacts.size(); ++i) {
      ASSERT_EQ(one.solution.wrenches[i], many.solution.wrenches[i]) << worker_count;
    }
  }
}

TEST_P(EverySolver, WarmStartFromTheAnswerNeedsOneSweep) {
  const TestProblem problem = MakeSphereLattice(125, kRough, 8);
  const Solved cold =
      Solve(problem, Settings(GetParam().law, GetParam().kind, GetParam().tolerance, 20000));
  ASSERT_EQ(cold.report.outcome, SolveOutcome::kConverged);
  const Solved warm =
      Solve(problem, Settings(GetParam().law, GetParam().kind, 3.0 * GetParam().tolerance, 20000),
            1, &cold.solution.impulses);
  EXPECT_EQ(warm.report.sweep_count, 1);
}

TEST_P(EverySolver, WarmImpulsesOfZeroAreAColdStart) {
  const TestProblem problem = MakeSphereLattice(125, kRough, 10);
  SolverSettings settings = Settings(GetParam().law, GetParam().kind, 1e-3, 500);
  const Solved zero = Solve(problem, settings);
  settings.warm_start = false;
  std::vector<ContactImpulse> ignored(problem.contacts.size(), {Vec3::Ones(), Vec3::Ones()});
  const Solved cold = Solve(problem, settings, 1, &ignored);
  EXPECT_EQ(zero.report.residual_history, cold.report.residual_history);
}

// The lattice has open contacts, which a cold accelerated solve sees further open than they are.
TEST_P(EverySolver, OnlyAcceleratedSweepsBeginColdDifferently) {
  const TestProblem problem = MakeSphereLattice(125, kRough, 11);
  const SolverSettings settings = Settings(GetParam().law, GetParam().kind, 1e-3, 100);
  std::vector<ContactImpulse> barely_warm(problem.contacts.size());
  for (ContactImpulse& impulse : barely_warm) impulse.linear = Vec3(0.0, 0.0, 1e-30);
  const double cold = Solve(problem, settings).report.residual_history[0];
  const double warm = Solve(problem, settings, 1, &barely_warm).report.residual_history[0];
  const bool accelerated_sweeps = GetParam().kind == SolverKind::kAlartCurnier ||
                                  GetParam().kind == SolverKind::kAcceleratedPsor ||
                                  GetParam().kind == SolverKind::kNewton;
  if (accelerated_sweeps) {
    EXPECT_GT(std::abs(cold - warm), 1e-3 * warm);
  } else {
    EXPECT_NEAR(cold, warm, 1e-12 * warm);  // rounding only
  }
}

const auto kSolvers =
    ::testing::Values(Case{"AlartCurnier", ContactLaw::kNcp, SolverKind::kAlartCurnier, 1e-4},
                      Case{"AcceleratedPsor", ContactLaw::kCcp, SolverKind::kAcceleratedPsor, 1e-6},
                      Case{"Psor", ContactLaw::kCcp, SolverKind::kPsor, 1e-4},
                      Case{"Apgd", ContactLaw::kCcp, SolverKind::kApgd, 1e-6},
                      Case{"NewtonNcp", ContactLaw::kNcp, SolverKind::kNewton, 1e-10},
                      Case{"NewtonCcp", ContactLaw::kCcp, SolverKind::kNewton, 1e-10});

INSTANTIATE_TEST_SUITE_P(Solvers, EverySolver, kSolvers,
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Solvers, WithAndWithoutHistory,
                         ::testing::Combine(kSolvers, ::testing::Bool()), [](const auto& test) {
                           return std::string(std::get<0>(test.param).name) +
                                  (std::get<1>(test.param) ? "History" : "");
                         });

// A ball on a floor, pressed by its weight, moving and turning as told.
TestProblem Ball(const Vec3& velocity, const Vec3& spin, const Material& material) {
  TestProblem problem;
  problem.assembly.time_step_s = 0.01;
  problem.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  problem.bodies.Add(Vec3(0, 0, 1), 1.0, 0.4, velocity - Vec3(0, 0, 0.0981), spin);
  problem.Touch(0, 1, Vec3::Zero(), Vec3::UnitZ(), 0.0, material);
  return problem;
}

const SolverSettings kExact = Settings(ContactLaw::kNcp, SolverKind::kLawDefault, 1e-13, 10000);

TEST(AlartCurnierSolver, SlidingBallMeetsCoulombExactly) {
  const Solved s = Solve(Ball(Vec3(3, 4, 0), Vec3::Zero(), {0.5, 0.0, 0.0, 0.0}), kExact);
  // γ_n = m g h, the friction opposes the sliding with μ γ_n, nothing lifts.
  EXPECT_NEAR(s.solution.impulses[0].linear.z(), 0.0981, 1e-14);
  EXPECT_LE(
      (s.solution.impulses[0].linear - Vec3(-0.6, -0.8, 0) * 0.5 * 0.0981 - Vec3(0, 0, 0.0981))
          .norm(),
      1e-12);
  EXPECT_NEAR(s.solution.linear_velocities[1].z(), 0.0, 1e-14);
  EXPECT_EQ(s.solution.modes[0] & 3u, 3u);
}

TEST(AlartCurnierSolver, ModesTellMotionWhereThereIsNoFriction) {
  const Solved rest = Solve(Ball(Vec3::Zero(), Vec3::Zero(), {0.0, 0.0, 0.0, 0.0}), kExact);
  EXPECT_EQ(rest.solution.modes[0], 1u);
  const Solved slides = Solve(Ball(Vec3(1, 0, 0), Vec3::Zero(), {0.0, 0.0, 0.0, 0.0}), kExact);
  EXPECT_EQ(slides.solution.modes[0], 3u);
  const Solved turns = Solve(Ball(Vec3::Zero(), Vec3(0, 0, 2), {0.5, 0.0, 0.0, 0.0}), kExact);
  EXPECT_EQ(turns.solution.modes[0], 9u);
}

TEST(AlartCurnierSolver, RestingBallSticks) {
  const Solved s = Solve(Ball(Vec3::Zero(), Vec3::Zero(), {0.5, 0.01, 0.01, 0.0}), kExact);
  EXPECT_EQ(s.solution.modes[0], 1u);
  EXPECT_LE(s.solution.linear_velocities[1].norm(), 1e-15);
}

TEST(AlartCurnierSolver, SpinningTorqueIsSigmaTimesNormal) {
  const Solved s = Solve(Ball(Vec3::Zero(), Vec3(0, 0, 9), {0.5, 0.02, 0.03, 0.0}), kExact);
  EXPECT_NEAR(s.solution.impulses[0].angular.z(), -0.03 * 0.0981, 1e-14);
  EXPECT_EQ(s.solution.modes[0] & 8u, 8u);
}

TEST(AlartCurnierSolver, FreeSpinAtZeroSigma) {
  const Solved s = Solve(Ball(Vec3::Zero(), Vec3(0, 0, 9), {0.5, 0.02, 0.0, 0.0}), kExact);
  EXPECT_EQ(s.solution.angular_velocities[1].z(), 9.0);
}

TEST(CcpSolver, LiftsASlidingBallByItsShift) {
  const Solved s = Solve(Ball(Vec3(3, 4, 0), Vec3::Zero(), {0.5, 0.0, 0.0, 0.0}),
                         Settings(ContactLaw::kCcp, SolverKind::kLawDefault, 1e-13, 10000));
  // u_n = μ ‖u_T‖ at the end of the step: the relaxation's known artefact.
  const Vec3 slip =
      s.solution.linear_velocities[1] + s.solution.angular_velocities[1].cross(Vec3(0, 0, -1));
  EXPECT_NEAR(s.solution.linear_velocities[1].z(), 0.5 * std::hypot(slip.x(), slip.y()), 1e-12);
}

TEST(ContactSolverReport, SweepLimitIsSaidAndTheBestIterateReturned) {
  const TestProblem problem = MakeSphereLattice(216, kRough, 9);
  const Solved s = Solve(problem, Settings(ContactLaw::kNcp, SolverKind::kLawDefault, 1e-12, 5));
  EXPECT_EQ(s.report.outcome, SolveOutcome::kSweepLimit);
  EXPECT_EQ(s.report.sweep_count, 5);
  ASSERT_EQ(s.report.residual_history.size(), 5u);
  EXPECT_EQ(s.report.residual,
            *std::min_element(s.report.residual_history.begin(), s.report.residual_history.end()));
}

TEST(ContactSolverReport, SeparatingBodiesGetNoImpulse) {
  const Solved s = Solve(Ball(Vec3(0, 0, 5), Vec3(1, 2, 3), kRough), kExact);
  EXPECT_EQ(s.report.outcome, SolveOutcome::kConverged);
  EXPECT_EQ(s.report.residual, 0.0);
  EXPECT_EQ(s.solution.impulses[0].linear, Vec3(Vec3::Zero()));
}

}  // namespace
}  // namespace talus
