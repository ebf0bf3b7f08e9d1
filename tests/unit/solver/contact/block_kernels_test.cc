// The kernels against the mathematics of one contact in scalars, and against themselves on every
// instruction set the machine has.
#include "solver/contact/kernels/block_kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "solver/base/random.h"
#include "tests/support/contact_pairs.h"
#include "tests/support/scalar_contact.h"

namespace talus {
namespace {

using testing::Assemble;
using testing::ContactRow;
using testing::ForEachRow;
using testing::MakePairs;
using testing::Matrix6;
using testing::TestProblem;
using testing::Touch;

constexpr uint64_t kBlockKernelsSeed = 20260101;

class BlockKernels : public ::testing::TestWithParam<testing::SweptPairs> {
 protected:
  BlockKernels()
      : random_(kBlockKernelsSeed),
        problem_(Assemble(MakePairs(GetParam().touch, 301, random_), {GetParam().sweeps})) {
    last_.resize(problem_.blocks.size());
    before_.resize(problem_.blocks.size());
    for (std::vector<WrenchBlock>* blocks : {&last_, &before_}) {
      for (WrenchBlock& block : *blocks) {
        for (size_t lane = 0; lane < kLanes; ++lane) {
          Wrench g;
          for (int k = 0; k < 6; ++k) g[k] = random_.Uniform(-0.1, 0.1);
          g[0] = std::abs(g[0]);
          block.Set(lane, g);
        }
      }
    }
    motion_ = problem_.free_motion;
  }

  SweepChange Sweep(double beta, double extra_gap, bool local_steps) {
    return SweepFrom(last_, beta, extra_gap, local_steps);
  }
  SweepChange SweepFrom(const std::vector<WrenchBlock>& last, double beta, double extra_gap,
                        bool local_steps) {
    const SweepBlocks sweep{problem_.span(), motion_.data(), last.data(), before_.data(), beta,
                            extra_gap,       local_steps};
    SweepChange total;
    for (const BlockChunk& chunk : problem_.layout.chunks) {
      const SweepChange change = GetParam().sweeps == SweepKind::kAlartCurnier
                                     ? SweepAlartCurnier(sweep, chunk)
                                     : SweepProjected(sweep, chunk);
      total.length_squared += change.length_squared;
      total.against += change.against;
    }
    return total;
  }

  // What a sweep must do to one contact; the pairs share no bodies.
  Wrench Expect(const ContactRow& c, const Wrench& start, double extra_gap, bool local_steps,
                std::vector<BodyMotion>& motion) const {
    const Matrix6 w = testing::LocalBlock(problem_, c);
    Wrench u = testing::LocalVelocity(c, motion[c.body_a], motion[c.body_b]);
    u[0] += extra_gap * std::max(c.bias, 0.0);
    Wrench g = start;
    for (int taken = 0; taken < (local_steps ? c.kind.local_steps : 1); ++taken) {
      const Wrench next = GetParam().sweeps == SweepKind::kAlartCurnier
                              ? testing::AlartCurnierStep(c, w, g, u)
                              : testing::ProjectedStep(c, w, g, u);
      u += w * (next - g);
      g = next;
    }
    testing::AddImpulse(problem_, c, g - start, motion);
    return g;
  }

  void ExpectSweep(double beta, double extra_gap, bool local_steps) {
    const std::vector<WrenchBlock> old_before = before_;
    std::vector<BodyMotion> expected_motion = motion_;
    const SweepChange actual = Sweep(beta, extra_gap, local_steps);
    SweepChange expected;
    ForEachRow(problem_, [&](uint32_t index, size_t lane, const ContactRow& c) {
      const Wrench last = last_[index].Get(lane);
      const Wrench start = last + beta * (last - old_before[index].Get(lane));
      const Wrench g = Expect(c, start, extra_gap, local_steps, expected_motion);
      EXPECT_LE((before_[index].Get(lane) - g).norm(), 1e-12 * (1.0 + g.norm()));
      expected.length_squared += (g - start).dot(c.weight.cwiseProduct(g - start));
      expected.against += (start - g).dot(c.weight.cwiseProduct(g - last));
    });
    for (size_t row = 0; row < problem_.rows.count(); ++row) {
      EXPECT_LE((motion_[row].Linear() - expected_motion[row].Linear()).norm(), 1e-11);
      EXPECT_LE((motion_[row].Angular() - expected_motion[row].Angular()).norm(), 1e-11);
      EXPECT_EQ(motion_[row].inverse_mass, expected_motion[row].inverse_mass);
    }
    EXPECT_NEAR(actual.length_squared, expected.length_squared, 1e-11 * expected.length_squared);
    EXPECT_NEAR(actual.against, expected.against, 1e-11 * expected.length_squared);
  }

  Random random_;
  testing::AssembledProblem problem_;
  std::vector<WrenchBlock> last_, before_;
  std::vector<BodyMotion> motion_;
};

TEST_P(BlockKernels, BlocksAreOfTheGeometryTested) {
  for (const BlockChunk& chunk : problem_.layout.chunks) {
    EXPECT_EQ(chunk.kind.geometry, GetParam().touch == Touch::kSpheres ? BlockGeometry::kCentral
                                   : GetParam().touch == Touch::kRound ? BlockGeometry::kRound
                                                                       : BlockGeometry::kFull);
  }
  EXPECT_LT(problem_.layout.CountContacts(problem_.blocks.size() - 1), kLanes)
      << "no null contacts are tested";
}

TEST_P(BlockKernels, SweepIsTheStepOfEachContact) { ExpectSweep(0.0, 0.0, false); }
TEST_P(BlockKernels, SweepStartsFromTheExtrapolatedImpulses) { ExpectSweep(0.7, 0.0, false); }
TEST_P(BlockKernels, SweepWidensOpenGaps) { ExpectSweep(0.3, 99.0, false); }
TEST_P(BlockKernels, SweepTakesLocalSteps) { ExpectSweep(0.3, 0.0, true); }

// Nothing touches: a block of which nothing approaches is passed over, which must not show.
TEST_P(BlockKernels, SweepOfOpenContactsIsTheStepOfEachContactToo) {
  last_.assign(last_.size(), WrenchBlock{});
  before_ = last_;
  size_t approaching = 0;
  for (const bool all_open : {true, false}) {
    SCOPED_TRACE(all_open);
    for (ContactBlock& block : problem_.blocks) {
      for (double& bias : block.bias) bias = 10.0;  // beyond any speed of the bodies
    }
    if (!all_open) {
      // One contact of every third block closes.
      for (size_t i = 0; i < problem_.blocks.size(); i += 3, ++approaching) {
        problem_.blocks[i].bias[i % problem_.layout.CountContacts(i)] = -10.0;
      }
    }
    ExpectSweep(0.5, 0.0, false);
    size_t loaded = 0;
    ForEachRow(problem_, [&](uint32_t index, size_t lane, const ContactRow&) {
      loaded += before_[index].row[0][lane] > 0.0 ? 1 : 0;
    });
    EXPECT_EQ(loaded, all_open ? 0 : approaching);
    ResidualParts sum;
    for (const BlockChunk& chunk : problem_.layout.chunks) {
      sum.violation += MeasureResidual(problem_.span(), chunk, ContactLaw::kNcp, last_.data(),
                                       problem_.free_motion.data())
                           .violation;
    }
    EXPECT_EQ(sum.violation > 0.0, !all_open);
  }
}

TEST_P(BlockKernels, ImpulsesAreAddedToTheMotions) {
  std::vector<BodyMotion> expected = motion_;
  for (const BlockChunk& chunk : problem_.layout.chunks) {
    AddImpulses(problem_.span(), chunk, last_.data(), before_.data(), motion_.data());
  }
  ForEachRow(problem_, [&](uint32_t index, size_t lane, const ContactRow& c) {
    testing::AddImpulse(problem_, c, last_[index].Get(lane) - before_[index].Get(lane), expected);
  });
  for (size_t row = 0; row < problem_.rows.count(); ++row) {
    EXPECT_LE((motion_[row].Linear() - expected[row].Linear()).norm(), 1e-12);
    EXPECT_LE((motion_[row].Angular() - expected[row].Angular()).norm(), 1e-12);
  }
}

TEST_P(BlockKernels, ResidualIsThatOfItsDefinition) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    double violation = 0.0;
    double worst = 0.0;
    ForEachRow(problem_, [&](uint32_t index, size_t lane, const ContactRow& c) {
      const Wrench g = last_[index].Get(lane);
      const Wrench u = testing::PairedVelocity(
          law, c.cone, testing::LocalVelocity(c, motion_[c.body_a], motion_[c.body_b]));
      const Wrench back =
          g - testing::ProjectInMetric(c.cone, c.weight, g - u.cwiseQuotient(c.weight));
      violation += back.dot(c.weight.cwiseProduct(back));
      // η: lengths instead of weights, and the step from the scaled block.
      const double length = std::sqrt(c.weight[0] / c.weight[4]);
      Wrench unit;
      unit << 1, 1, 1, length, length, length;
      const Matrix6 w = unit.asDiagonal() * testing::LocalBlock(problem_, c) * unit.asDiagonal();
      const double rho = 1.0 / w.cwiseAbs().rowwise().sum().maxCoeff();
      const testing::RollingCone cone{c.cone.sliding, c.cone.rolling / length,
                                      c.cone.spinning / length};
      const Wrench p = g.cwiseQuotient(unit);
      const Wrench rest = p - testing::ProjectToCone(cone, p - rho * unit.cwiseProduct(u));
      worst = std::max(worst, rest.norm() / rho);
    });
    double sum = 0.0;
    double largest = 0.0;
    for (const BlockChunk& chunk : problem_.layout.chunks) {
      sum += MeasureResidual(problem_.span(), chunk, law, last_.data(), motion_.data()).violation;
      largest = std::max(largest, DescribeContacts(problem_.span(), chunk, law, last_.data(),
                                                   motion_.data(), nullptr));
    }
    EXPECT_NEAR(sum, violation, 1e-11 * violation);
    EXPECT_NEAR(std::sqrt(largest), worst, 1e-11 * worst);
  }
}

// Of a friction part, whose rows are given: both the same where it has one.
struct PartRows {
  int x, y;
  double Length(const Wrench& wrench) const {
    return x == y ? std::abs(wrench[x]) : std::hypot(wrench[x], wrench[y]);
  }
};
constexpr PartRows kSlidingRows{1, 2};
constexpr PartRows kSpinningRows{3, 3};
constexpr PartRows kRollingRows{4, 5};

// 1 closed, 2 sliding, 4 rolling, 8 spinning: a part at its limit, or one without a limit that
// moves.
int ExpectMode(const ContactRow& c, const Wrench& g, const Wrench& u) {
  if (g[0] == 0.0) return 0;
  const auto moves = [&](double friction, const PartRows& rows) {
    const double limit = friction * g[0];
    if (limit > 0.0) return rows.Length(g) >= (1.0 - 1e-9) * limit;
    return rows.Length(u) > 1e-3 * std::sqrt(c.weight[rows.x] * c.weight[0]) * g[0];
  };
  return 1 + (moves(c.cone.sliding, kSlidingRows) ? 2 : 0) +
         (moves(c.cone.rolling, kRollingRows) ? 4 : 0) +
         (moves(c.cone.spinning, kSpinningRows) ? 8 : 0);
}

// Each part of one contact in three is at its limit, of one just below; one in four is open, and
// of one in five a part has no friction.
TEST_P(BlockKernels, ModesAreThoseOfEachContact) {
  const PartRows parts[3] = {kSlidingRows, kSpinningRows, kRollingRows};  // as in `friction`
  for (size_t i = 0; i < problem_.blocks.size() * kLanes; ++i) {
    ContactBlock& block = problem_.blocks[i / kLanes];
    const size_t lane = i % kLanes;
    Wrench g = last_[i / kLanes].Get(lane);
    for (size_t part = 0; part < 3; ++part) {
      const double share = (i + part) % 3 == 0 ? 1.0 : (i + part) % 3 == 1 ? 0.99 : 2.0;
      const double to = share * block.friction[part][lane] * g[0] / parts[part].Length(g);
      g[parts[part].x] *= to;
      if (parts[part].y != parts[part].x) g[parts[part].y] *= to;
      if ((i + part) % 5 == 4) block.friction[part][lane] = 0.0;
    }
    if (i % 4 == 2) g.setZero();
    last_[i / kLanes].Set(lane, g);
  }
  std::vector<uint8_t> modes(problem_.blocks.size() * kLanes);
  for (const BlockChunk& chunk : problem_.layout.chunks) {
    DescribeContacts(problem_.span(), chunk, ContactLaw::kNcp, last_.data(), motion_.data(),
                     &modes[chunk.begin * kLanes]);
  }
  std::array<size_t, 16> seen = {};
  ForEachRow(problem_, [&](uint32_t index, size_t lane, const ContactRow& c) {
    const Wrench u = testing::LocalVelocity(c, motion_[c.body_a], motion_[c.body_b]);
    const int mode = modes[index * kLanes + lane];
    EXPECT_EQ(mode, ExpectMode(c, last_[index].Get(lane), u)) << index << " " << lane;
    ++seen[static_cast<size_t>(mode)];
  });
  EXPECT_GT(seen[0], 0u);
  for (const size_t bit : {2u, 4u, 8u}) {
    size_t with = 0;
    for (size_t mode = 0; mode < 16; ++mode) with += (mode & bit) != 0 ? seen[mode] : 0;
    EXPECT_GT(with, 0u) << bit;
    EXPECT_LT(with, problem_.blocks.size() * kLanes) << bit;
  }
}

bool SameBits(const std::vector<BodyMotion>& a, const std::vector<BodyMotion>& b, size_t count) {
  return std::memcmp(a.data(), b.data(), count * sizeof(BodyMotion)) == 0;
}

TEST_P(BlockKernels, SameBitsOnEveryInstructionSet) {
  const std::vector<std::string_view> targets = KernelTargets();
  ASSERT_GE(targets.size(), 2u) << "only " << targets.front();
  const std::vector<WrenchBlock> old_before = before_;
  const std::vector<BodyMotion> old_motion = motion_;
  std::vector<Wrench> first_impulse;
  std::vector<BodyMotion> first_motion;
  std::vector<double> first_numbers;
  for (const std::string_view target : targets) {
    SCOPED_TRACE(std::string(target));
    UseKernelTarget(target);
    Random random(kBlockKernelsSeed);
    problem_ = Assemble(MakePairs(GetParam().touch, 301, random), {GetParam().sweeps});
    before_ = old_before;
    motion_ = old_motion;
    const SweepChange change = Sweep(0.6, 0.0, true);
    std::vector<double> numbers = {change.length_squared, change.against, problem_.free_scale,
                                   problem_.largest_free};
    for (const BlockChunk& chunk : problem_.layout.chunks) {
      const ResidualParts parts =
          MeasureResidual(problem_.span(), chunk, ContactLaw::kNcp, before_.data(), motion_.data());
      std::array<uint8_t, kChunkBlocks* kLanes> modes = {};
      const double worst = DescribeContacts(problem_.span(), chunk, ContactLaw::kNcp,
                                            before_.data(), motion_.data(), modes.data());
      numbers.insert(numbers.end(), {parts.violation, parts.impulse, worst});
      numbers.insert(numbers.end(), modes.begin(), modes.end());
    }
    std::vector<Wrench> impulse;
    ForEachRow(problem_, [&](uint32_t index, size_t lane, const ContactRow&) {
      impulse.push_back(before_[index].Get(lane));
    });
    if (first_impulse.empty()) {
      first_impulse = impulse;
      first_motion = motion_;
      first_numbers = numbers;
    }
    EXPECT_EQ(impulse, first_impulse);
    EXPECT_TRUE(SameBits(motion_, first_motion, problem_.rows.count()));
    EXPECT_EQ(numbers, first_numbers);
  }
  UseKernelTarget("");
}

// With nothing to extrapolate, γ may be written over: the same as from a copy of it.
TEST_P(BlockKernels, APlainSweepMayBeMadeInPlace) {
  for (size_t index = 0; index < before_.size(); index += 3) before_[index] = WrenchBlock{};
  last_ = before_;
  const std::vector<BodyMotion> old_motion = motion_;
  const SweepChange apart = Sweep(0.0, 2.0, true);
  const std::vector<WrenchBlock> impulse = before_;
  const std::vector<BodyMotion> motion = motion_;
  before_ = last_;
  motion_ = old_motion;
  const SweepChange in_place = SweepFrom(before_, 0.0, 2.0, true);
  EXPECT_EQ(std::memcmp(before_.data(), impulse.data(), impulse.size() * sizeof(WrenchBlock)), 0);
  EXPECT_TRUE(SameBits(motion_, motion, problem_.rows.count()));
  EXPECT_EQ(in_place.length_squared, apart.length_squared);
  EXPECT_EQ(in_place.against, apart.against);
}

INSTANTIATE_TEST_SUITE_P(Kinds, BlockKernels, testing::AllSweptPairs(),
                         [](const auto& test) { return NameOf(test.param); });

// How many steps contacts of a ball of 1 m and 1 kg take: on the ground or on a ball of another
// radius and the same density, touched `aside` of its lowest point.
int32_t LocalStepsOn(double other_radius, double aside = 0.0) {
  TestProblem input;
  const double r = other_radius;
  const double mass = r * r * r;
  input.bodies.Add(Vec3(0, 0, -r), mass, 0.4 * mass * r * r, Vec3::Zero(), Vec3::Zero());
  input.bodies.Add(Vec3(aside, 0, 1), 1.0, 0.4, Vec3(0, 0, -0.05), Vec3(0.02, 0.01, 0.03));
  input.Touch(0, 1, Vec3::Zero(), Vec3::UnitZ(), 0.0, {5.0, 5.0, 5.0, 0.0});
  return Assemble(input).layout.chunks[0].kind.local_steps;
}

// How much of the velocity of a ball on the ground a sweep leaves, in the metric, when nothing is
// at its limit.
double LeftOnTheGround(SweepKind sweeps, bool local_steps) {
  TestProblem input;
  input.bodies.Add(Vec3::Zero(), 0.0, 0.0, Vec3::Zero(), Vec3::Zero());
  input.bodies.Add(Vec3(0, 0, 1), 1.0, 0.4, Vec3(0.02, 0.01, -0.05), Vec3(-0.01, 0.02, 0.03));
  input.Touch(0, 1, Vec3::Zero(), Vec3::UnitZ(), 0.0, {5.0, 5.0, 5.0, 0.0});
  const testing::AssembledProblem problem = Assemble(input, {sweeps});
  const BlockChunk& chunk = problem.layout.chunks[0];
  const WrenchBlock zero{};
  WrenchBlock impulse{};
  std::vector<BodyMotion> motion = problem.free_motion;
  const SweepBlocks sweep{problem.span(), motion.data(), &zero, &impulse, 0.0, 0.0, local_steps};
  sweeps == SweepKind::kProjected ? SweepProjected(sweep, chunk) : SweepAlartCurnier(sweep, chunk);
  const ContactRow c = testing::ReadRow(problem, chunk, 0, 0);
  const auto size = [&](const std::vector<BodyMotion>& motions) {
    const Wrench u = testing::LocalVelocity(c, motions[c.body_a], motions[c.body_b]);
    return std::sqrt(u.dot(u.cwiseQuotient(c.weight)));
  };
  return size(motion) / size(problem.free_motion);
}

TEST(LocalSteps, BringAContactWithTheGroundCloserToItsLaw) {
  EXPECT_LT(LeftOnTheGround(SweepKind::kAlartCurnier, true),
            0.5 * LeftOnTheGround(SweepKind::kAlartCurnier, false));
  EXPECT_LT(LeftOnTheGround(SweepKind::kProjected, true),
            LeftOnTheGround(SweepKind::kProjected, false));
}

TEST(LocalSteps, FollowHowStronglyTheRowsCouple) {
  const double ground = 0.0;
  EXPECT_EQ(LocalStepsOn(ground), 4);
  EXPECT_EQ(LocalStepsOn(1.0), 1);
  EXPECT_EQ(LocalStepsOn(1.2), 1);
  EXPECT_EQ(LocalStepsOn(3.0), 2);
  EXPECT_EQ(LocalStepsOn(ground, 0.1), 1);
  EXPECT_EQ(LocalStepsOn(3.0, 0.1), 1);
}

}  // namespace
}  // namespace talus
