#include "solver/solvers/strand_sweep.h"

#include <gtest/gtest.h>

#include <cstring>

#include "solver/base/random.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

constexpr double kBeta = 0.6;

class StrandSweepTest : public ::testing::Test {
 protected:
  StrandSweepTest()
      : problem_(testing::Assemble(testing::MakeSphereLattice(1000, {0.6, 0.005, 0.005, 0.0}, 4))) {
    Random random(5);
    for (std::vector<WrenchBlock>* blocks : {&last_, &before_last_}) {
      blocks->resize(problem_.blocks.size());
      for (size_t i = 0; i < blocks->size(); ++i) {
        for (size_t lane = 0; lane < problem_.layout.CountContacts(i); ++lane) {
          (*blocks)[i].row[0][lane] = random.Uniform(0.0, 1e-3);
        }
      }
    }
    motion_ = previous_ = problem_.free_motion;
    for (BodyMotion& motion : previous_) {
      for (double& v : motion.linear) v += motion.dynamic() ? random.Uniform(-0.1, 0.1) : 0.0;
    }
  }

  struct Result {
    std::vector<WrenchBlock> impulse;
    std::vector<BodyMotion> motion, previous;
    SweepChange change;
  };

  SweepBlocks Blocks(Result& result) const {
    return {problem_.span(),
            result.motion.data(),
            last_.data(),
            result.impulse.data(),
            kBeta,
            0.0,
            false};
  }
  Result Sweep(int worker_count) const {
    WorkerArena workers(worker_count);
    Result result{before_last_, motion_, previous_, {}};
    std::vector<SweepChange> partial;
    result.change = SweepStrands(workers, problem_, Blocks(result), result.previous.data(),
                                 SweepAlartCurnier, partial);
    return result;
  }
  // The rows of bodies; what null bodies do is nothing to anyone.
  bool SameRows(const std::vector<BodyMotion>& a, const std::vector<BodyMotion>& b) const {
    return std::memcmp(a.data(), b.data(), problem_.rows.count() * sizeof(BodyMotion)) == 0;
  }
  static bool SameImpulses(const Result& a, const Result& b) {
    return std::memcmp(a.impulse.data(), b.impulse.data(),
                       a.impulse.size() * sizeof(WrenchBlock)) == 0;
  }

  testing::AssembledProblem problem_;
  std::vector<WrenchBlock> last_, before_last_;
  std::vector<BodyMotion> motion_, previous_;
};

// Each strand extrapolates its own bodies when its turn comes: the same as all before the sweep.
TEST_F(StrandSweepTest, IsAnExtrapolationAndThenAllChunksInOrder) {
  ASSERT_GT(problem_.layout.strand_count(), 2u);
  WorkerArena workers(1);
  Result expected{before_last_, motion_, previous_, {}};
  Extrapolate(workers, kBeta, expected.motion, expected.previous);
  for (const BlockChunk& chunk : problem_.layout.chunks) {
    SweepAlartCurnier(Blocks(expected), chunk);
  }
  const Result actual = Sweep(1);
  EXPECT_TRUE(SameImpulses(actual, expected));
  EXPECT_TRUE(SameRows(actual.motion, expected.motion));
  EXPECT_TRUE(SameRows(actual.previous, expected.previous));
  EXPECT_FALSE(SameRows(actual.motion, motion_));
}

TEST_F(StrandSweepTest, HasTheSameBitsOnAnyNumberOfWorkers) {
  const Result alone = Sweep(1);
  EXPECT_GT(alone.change.length_squared, 0.0);
  for (const int worker_count : {2, 3, 7, 16}) {
    const Result shared = Sweep(worker_count);
    EXPECT_TRUE(SameImpulses(shared, alone)) << worker_count;
    EXPECT_TRUE(SameRows(shared.motion, alone.motion)) << worker_count;
    EXPECT_EQ(shared.change.length_squared, alone.change.length_squared) << worker_count;
    EXPECT_EQ(shared.change.against, alone.change.against) << worker_count;
  }
}

}  // namespace
}  // namespace talus
