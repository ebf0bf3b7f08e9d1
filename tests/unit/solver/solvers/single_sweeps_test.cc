#include "solver/solvers/single_sweeps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "solver/contact/residual.h"
#include "solver/solvers/contact_solver.h"
#include "tests/support/contact_pairs.h"

namespace talus {
namespace {

using testing::Assemble;
using testing::MakePairs;
using testing::MakeSphereLattice;
using testing::TestProblem;
using testing::Touch;

constexpr uint64_t kSingleSweepsSeed = 20261122;
constexpr Material kRoughSingle{0.6, 0.005, 0.004, 0.0};

class SingleSweepsTest : public ::testing::TestWithParam<testing::SweptPairs> {
 protected:
  SingleSweepsTest()
      : random_(kSingleSweepsSeed),
        problem_(Assemble(MakePairs(GetParam().touch, 301, random_), {GetParam().sweeps})),
        method_(GetParam().sweeps == SweepKind::kAlartCurnier
                    ? SweepMethod{SweepAlartCurnier, single::SweepAlartCurnier, true}
                    : SweepMethod{SweepProjected, single::SweepProjected, true}) {
    for (Iterate* iterate : {&current_, &previous_}) {
      iterate->impulse.resize(problem_.blocks.size());
      for (WrenchBlock& block : iterate->impulse) {
        for (size_t lane = 0; lane < kLanes; ++lane) {
          Wrench g;
          for (int k = 0; k < 6; ++k) g[k] = random_.Uniform(-0.1, 0.1);
          g[0] = std::abs(g[0]);
          block.Set(lane, g);
        }
      }
      iterate->motion = problem_.free_motion;
      AddImpulses(workers_, problem_, *iterate);
    }
  }

  void Enter(const Iterate& current, const Iterate& previous) {
    store_.Set(workers_, previous);
    single_.Enter(workers_, problem_, current, store_);
  }

  // In double precision, from current and previous to the new current.
  SweepChange SweepInDouble(double beta, double extra_gap) {
    const SweepBlocks blocks{problem_.span(),
                             current_.motion.data(),
                             current_.impulse.data(),
                             previous_.impulse.data(),
                             beta,
                             extra_gap,
                             true};
    std::vector<SweepChange> partial;
    const SweepChange change =
        SweepStrands(workers_, problem_, blocks, previous_.motion.data(), method_.sweep, partial);
    current_.impulse.swap(previous_.impulse);
    return change;
  }

  template <typename Body>
  void ForEachContact(const Body& body) const {
    for (size_t index = 0; index < problem_.blocks.size(); ++index) {
      for (size_t lane = 0; lane < problem_.layout.CountContacts(index); ++lane) {
        body(index, lane);
      }
    }
  }

  WorkerArena workers_{1};
  Random random_;
  testing::AssembledProblem problem_;
  SweepMethod method_;
  Iterate current_, previous_;
  PreviousIterate store_;
  SingleSweeps single_;
};

TEST_P(SingleSweepsTest, ASweepIsThatOfDoublePrecisionButForRounding) {
  for (const double extra_gap : {0.0, 99.0}) {
    const Iterate start = current_;
    const Iterate before = previous_;
    Iterate out = start;
    single_.Reset();
    Enter(start, before);
    const SweepChange change = single_.Sweep(workers_, problem_, method_, 0.6, extra_gap);
    single_.Leave(workers_, problem_, out);
    const SweepChange expected = SweepInDouble(0.6, extra_gap);
    EXPECT_NEAR(change.length_squared, expected.length_squared, 1e-5 * expected.length_squared);
    EXPECT_NEAR(change.against, expected.against, 1e-5 * expected.length_squared);
    ForEachContact([&](size_t index, size_t lane) {
      const Wrench difference = out.impulse[index].Get(lane) - current_.impulse[index].Get(lane);
      // The steps divide by inverse inertias down to a hundredth of the others.
      EXPECT_LE(difference.norm(), 2e-5 * (1.0 + current_.impulse[index].Get(lane).norm()));
    });
  }
}

TEST_P(SingleSweepsTest, LeavesTheVelocitiesThatBelongToTheImpulses) {
  Iterate out = current_;
  Enter(current_, previous_);
  for (int sweep = 0; sweep < 5; ++sweep) {
    single_.Sweep(workers_, problem_, method_, 0.5, 0.0);
    single_.Leave(workers_, problem_, out);
  }
  Iterate again{out.impulse, problem_.free_motion};
  ComputeVelocities(workers_, problem_, again);
  EXPECT_EQ(std::memcmp(out.motion.data(), again.motion.data(),
                        problem_.rows.count() * sizeof(BodyMotion)),
            0);
}

TEST_P(SingleSweepsTest, WhatIsKeptIsLeftAsItWas) {
  Iterate out = current_;
  Iterate again = current_;
  Enter(current_, previous_);
  single_.Sweep(workers_, problem_, method_, 0.5, 0.0);
  single_.Keep(workers_);
  single_.Leave(workers_, problem_, out);
  single_.Sweep(workers_, problem_, method_, 0.5, 0.0);
  Enter(previous_, current_);
  single_.Sweep(workers_, problem_, method_, 0.5, 0.0);
  single_.LeaveKept(workers_, problem_, again);
  EXPECT_EQ(std::memcmp(again.impulse.data(), out.impulse.data(),
                        out.impulse.size() * sizeof(WrenchBlock)),
            0);
  EXPECT_EQ(std::memcmp(again.motion.data(), out.motion.data(),
                        problem_.rows.count() * sizeof(BodyMotion)),
            0);
}

TEST_P(SingleSweepsTest, SameBitsOnEveryInstructionSet) {
  const std::vector<std::string_view> targets = KernelTargets();
  ASSERT_GE(targets.size(), 2u) << "only " << targets.front();
  std::vector<Wrench> first;
  std::vector<double> first_changes;
  for (const std::string_view target : targets) {
    SCOPED_TRACE(std::string(target));
    UseKernelTarget(target);
    Iterate out = current_;
    Enter(current_, previous_);
    std::vector<double> changes;
    for (int sweep = 0; sweep < 5; ++sweep) {
      const SweepChange change = single_.Sweep(workers_, problem_, method_, 0.5, 0.0);
      changes.insert(changes.end(), {change.length_squared, change.against});
    }
    single_.Leave(workers_, problem_, out);
    std::vector<Wrench> impulses;
    ForEachContact(
        [&](size_t index, size_t lane) { impulses.push_back(out.impulse[index].Get(lane)); });
    if (first.empty()) {
      first = impulses;
      first_changes = changes;
    }
    EXPECT_EQ(impulses, first);
    EXPECT_EQ(changes, first_changes);
  }
  UseKernelTarget("");
}

INSTANTIATE_TEST_SUITE_P(Kinds, SingleSweepsTest, testing::AllSweptPairs(),
                         [](const auto& test) { return NameOf(test.param); });

struct SolvedSingle {
  SolveReport report;
  std::vector<Wrench> wrenches;
};

SolvedSingle SolveSingle(const TestProblem& problem, double tolerance) {
  WorkerArena workers(1);
  ContactSolver solver;
  ContactSolution solution;
  std::vector<Vec3> linear = problem.bodies.linear;
  std::vector<Vec3> angular = problem.bodies.angular;
  SolverSettings settings;
  settings.tolerance = tolerance;
  settings.max_sweeps = 5000;
  SolvedSingle solved;
  solved.report =
      solver.Solve(workers, problem.bodies.view(), problem.contacts, {}, problem.assembly, settings,
                   {}, {linear, angular}, solution, nullptr);
  for (size_t i = 0; i < problem.contacts.size(); ++i) {
    solved.wrenches.push_back(solution.wrench(i));
  }
  return solved;
}

// The same problem in other units of length and mass.
TestProblem Rescaled(TestProblem problem, double length, double mass) {
  for (Vec3& x : problem.bodies.positions) x *= length;
  for (Vec3& v : problem.bodies.linear) v *= length;
  for (double& w : problem.bodies.inverse_masses) w /= mass;
  for (Mat3& w : problem.bodies.inverse_inertias) w /= mass * length * length;
  for (Material& m : problem.bodies.materials) {
    m.rolling_friction_m *= length;
    m.spinning_friction_m *= length;
  }
  for (ContactInput& contact : problem.contacts) {
    contact.point *= length;
    contact.gap *= length;
  }
  problem.assembly.recovery_speed_m_s *= length;
  problem.assembly.restitution_threshold_m_s *= length;
  return problem;
}

// With blocks of doubles, or of floats where there are many.
class SolvesInSinglePrecision : public ::testing::TestWithParam<int> {};

TEST_P(SolvesInSinglePrecision, DoNotDependOnTheUnits) {
  const TestProblem problem = MakeSphereLattice(GetParam(), kRoughSingle, kSingleSweepsSeed);
  const SolvedSingle metres = SolveSingle(problem, 1e-3);
  ASSERT_EQ(metres.report.outcome, SolveOutcome::kConverged);
  ASSERT_GT(metres.report.sweep_count, 20) << "too few sweeps for single precision";
  // Powers of two, so that only the exponents of all numbers differ, even ones, for the roots: from
  // grains of dust to asteroids.
  for (const int exponent : {-18, 20}) {
    const double length = std::ldexp(1.0, exponent);
    const double mass = std::ldexp(1.0, 3 * exponent);
    const SolvedSingle other = SolveSingle(Rescaled(problem, length, mass), 1e-3);
    EXPECT_EQ(other.report.sweep_count, metres.report.sweep_count) << exponent;
    EXPECT_EQ(other.report.residual, metres.report.residual) << exponent;
    for (size_t i = 0; i < problem.contacts.size(); ++i) {
      Wrench expected = mass * length * metres.wrenches[i];
      expected.tail<3>() *= length;
      ASSERT_EQ(other.wrenches[i], expected) << exponent << " contact " << i;
    }
  }
}

TEST_P(SolvesInSinglePrecision, EndInDoublePrecisionWhereAFloatCannotTell) {
  // One sphere so light that floats, in units made for it, hold the others for infinitely heavy.
  TestProblem problem = MakeSphereLattice(GetParam(), kRoughSingle, kSingleSweepsSeed);
  problem.bodies.inverse_masses[100] *= 1e30;
  problem.bodies.inverse_inertias[100] *= 1e30;
  const SolvedSingle solved = SolveSingle(problem, 1e-3);
  EXPECT_EQ(solved.report.outcome, SolveOutcome::kConverged);
  EXPECT_LE(solved.report.residual, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Spheres, SolvesInSinglePrecision, ::testing::Values(343, 1000));

}  // namespace
}  // namespace talus
