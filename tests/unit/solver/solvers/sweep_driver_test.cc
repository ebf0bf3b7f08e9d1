#include "solver/solvers/sweep_driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "solver/contact/residual.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

struct SolvedByDriver {
  SolveReport report;
  Iterate iterate;
};

class SweepDriverTest : public ::testing::Test {
 protected:
  SweepDriverTest()
      : problem_(testing::Assemble(testing::MakeSphereLattice(1000, {0.6, 0.005, 0.004, 0.0}, 4))) {
  }

  // `single`: with sweeps in single precision where they pay.
  SolvedByDriver Solve(double tolerance, int32_t max_sweeps, bool single,
                       int worker_count = 1) const {
    SweepScratch scratch;
    return Solve(tolerance, max_sweeps, single, worker_count, scratch);
  }
  SolvedByDriver Solve(double tolerance, int32_t max_sweeps, bool single, int worker_count,
                       SweepScratch& scratch, bool history = false) const {
    WorkerArena workers(worker_count);
    SolvedByDriver solved;
    solved.iterate.impulse.assign(problem_.blocks.size(), WrenchBlock{});
    solved.iterate.motion = problem_.free_motion;
    solved.report =
        RunSweeps(workers, problem_, {ContactLaw::kNcp, tolerance, max_sweeps, history, false},
                  {SweepAlartCurnier, single ? single::SweepAlartCurnier : nullptr, true},
                  solved.iterate, scratch);
    return solved;
  }
  double Residual(const Iterate& iterate) const {
    WorkerArena workers(1);
    return ComputeResidual(workers, problem_, ContactLaw::kNcp, iterate.impulse, iterate.motion);
  }

  // Velocities that are made anew differ in their last bits.
  SolveReport ExpectHonestResidual(double tolerance, int32_t max_sweeps, bool single) const {
    const SolvedByDriver solved = Solve(tolerance, max_sweeps, single);
    EXPECT_NEAR(Residual(solved.iterate), solved.report.residual,
                1e-9 * solved.report.residual + 1e-14)
        << max_sweeps << (single ? " sweeps, single" : " sweeps");
    return solved.report;
  }

  testing::AssembledProblem problem_;
};

// Of whichever iterate goes out: the last one, or a better one that was kept.
TEST_F(SweepDriverTest, TheResidualIsThatOfTheIterateThatGoesOut) {
  for (const bool single : {true, false}) {
    std::set<double> residuals;
    size_t solves = 0;
    for (int32_t max_sweeps = 1; max_sweeps < 1500; max_sweeps += max_sweeps / 6 + 1) {
      const SolveReport report = ExpectHonestResidual(1e-6, max_sweeps, single);
      if (report.outcome != SolveOutcome::kSweepLimit) continue;
      residuals.insert(report.residual);
      ++solves;
    }
    EXPECT_LT(residuals.size(), solves) << "no solve went back to what it had kept: " << single;
  }
}

TEST_F(SweepDriverTest, ASolveThatStallsReturnsItsBestIterate) {
  for (const bool single : {true, false}) {
    EXPECT_EQ(ExpectHonestResidual(1e-30, 20000, single).outcome, SolveOutcome::kStalled);
  }
}

// With a history each sweep is measured, and none of them may be better than what goes out.
TEST_F(SweepDriverTest, NoSweepWasBetterThanWhatGoesOut) {
  int gone_back = 0;
  for (int32_t max_sweeps = 5; max_sweeps < 1500; max_sweeps += max_sweeps / 4 + 1) {
    SweepScratch scratch;
    const SolvedByDriver solved = Solve(1e-12, max_sweeps, false, 1, scratch, true);
    if (solved.report.outcome == SolveOutcome::kConverged) continue;
    const std::vector<double>& history = solved.report.residual_history;
    ASSERT_EQ(history.size(), static_cast<size_t>(solved.report.sweep_count));
    const double least = *std::ranges::min_element(history);
    EXPECT_LE(solved.report.residual, least);
    EXPECT_LE(Residual(solved.iterate), (1.0 + 1e-6) * least) << max_sweeps << " sweeps";
    gone_back += history.back() > 1.01 * least ? 1 : 0;
  }
  EXPECT_GT(gone_back, 0) << "the last iterate has always been the best";
}

// Which is all that a heap at rest asks for, and most of its memory.
TEST_F(SweepDriverTest, ASolveOfOneSweepKeepsNoIterateBeforeIt) {
  for (const int32_t max_sweeps : {1, 2}) {
    SweepScratch scratch;
    EXPECT_EQ(Solve(1e-6, max_sweeps, true, 1, scratch).report.sweep_count, max_sweeps);
    EXPECT_EQ(scratch.previous.impulse.empty(), max_sweeps == 1);
    EXPECT_EQ(scratch.previous.motion.empty(), max_sweeps == 1);
  }
}

TEST_F(SweepDriverTest, HasTheSameBitsOnAnyNumberOfWorkers) {
  ASSERT_GT(problem_.layout.strand_count(), 2u);
  for (const double tolerance : {1e-3, 1e-7}) {
    // More would be minutes under a sanitizer, where seven workers share two busy cores.
    for (const int32_t max_sweeps : {1, 2, 3, 40, 41, 300}) {
      const SolvedByDriver alone = Solve(tolerance, max_sweeps, true);
      for (const int worker_count : {2, 3, 7}) {
        const SolvedByDriver shared = Solve(tolerance, max_sweeps, true, worker_count);
        EXPECT_EQ(shared.report.sweep_count, alone.report.sweep_count);
        EXPECT_EQ(shared.report.residual, alone.report.residual);
        EXPECT_EQ(std::memcmp(shared.iterate.impulse.data(), alone.iterate.impulse.data(),
                              alone.iterate.impulse.size() * sizeof(WrenchBlock)),
                  0);
        EXPECT_EQ(std::memcmp(shared.iterate.motion.data(), alone.iterate.motion.data(),
                              problem_.rows.count() * sizeof(BodyMotion)),
                  0);
      }
    }
  }
}

}  // namespace
}  // namespace talus
