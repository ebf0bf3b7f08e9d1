// Problems whose blocks are of floats: what they hold, and that the kernels compute with it what
// they compute with the same numbers in doubles, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "solver/base/random.h"
#include "solver/contact/kernels/block_kernels.h"
#include "solver/contact/residual.h"
#include "tests/support/contact_pairs.h"
#include "tests/support/contact_problems.h"

namespace talus {
namespace {

using testing::Assemble;
using testing::AssembledProblem;
using testing::MakePairs;

constexpr uint64_t kFloatBlocksSeed = 20261122;
constexpr int kPairs = 301;

// All numbers of a block, in the order in which they stand.
template <typename Stored>
std::vector<double> Numbers(const ContactBlockOf<Stored>& block) {
  constexpr size_t kSkipped = 2 * kLanes * sizeof(uint32_t);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&block);
  std::vector<Stored> numbers((sizeof(block) - kSkipped) / sizeof(Stored));
  std::memcpy(numbers.data(), bytes + kSkipped, numbers.size() * sizeof(Stored));
  return {numbers.begin(), numbers.end()};
}

void Widen(const LanesOf<float>& from, LanesOf<double>& to) { std::ranges::copy(from, to); }
template <size_t kRows>
void Widen(const LanesOf<float> (&from)[kRows], LanesOf<double> (&to)[kRows]) {
  for (size_t row = 0; row < kRows; ++row) Widen(from[row], to[row]);
}

ContactBlock Widened(const ContactBlockOf<float>& from) {
  ContactBlock to;
  std::ranges::copy(from.line_a, to.line_a);
  std::ranges::copy(from.line_b, to.line_b);
  Widen(from.normal, to.normal);
  Widen(from.tangent, to.tangent);
  Widen(from.reach_a, to.reach_a);
  Widen(from.reach_b, to.reach_b);
  Widen(from.bias, to.bias);
  Widen(from.friction, to.friction);
  Widen(from.step, to.step);
  return to;
}

WideBlock Widened(const WideBlockOf<float>& from) {
  WideBlock to;
  Widen(from.arm_a, to.arm_a);
  Widen(from.arm_b, to.arm_b);
  Widen(from.weight.part, to.weight.part);
  Widen(from.spinning_step, to.spinning_step);
  Widen(from.worst_step, to.worst_step);
  return to;
}

class FloatBlocks : public ::testing::TestWithParam<testing::SweptPairs> {
 protected:
  FloatBlocks() : floats_(Make(true)), doubles_(Make(true)) {
    doubles_.in_floats = false;
    for (const auto& block : floats_.float_blocks) doubles_.blocks.push_back(Widened(block));
    for (const auto& wide : floats_.float_wide) doubles_.wide.push_back(Widened(wide));
    Random random(kFloatBlocksSeed + 1);
    for (std::vector<WrenchBlock>* blocks : {&last_, &before_}) {
      blocks->resize(floats_.layout.block_count());
      for (WrenchBlock& block : *blocks) {
        for (Lanes& row : block.row) {
          for (double& value : row) value = random.Uniform(-0.1, 0.1);
        }
        for (double& pressed : block.row[0]) pressed = std::abs(pressed);
      }
    }
  }

  static AssembledProblem Make(bool in_floats) {
    Random random(kFloatBlocksSeed);
    return Assemble(MakePairs(GetParam().touch, kPairs, random), {GetParam().sweeps, in_floats});
  }

  // Numbers that all kernels lead to.
  std::vector<double> Run(const AssembledProblem& problem) const {
    std::vector<double> numbers = {problem.free_scale, problem.largest_free};
    std::vector<WrenchBlock> impulse = before_;
    std::vector<BodyMotion> motion = problem.free_motion;
    const SweepBlocks sweep{
        problem.span(), motion.data(), last_.data(), impulse.data(), 0.6, 9.0, true};
    const auto add = [&](const auto& lines) {
      const auto* const first = reinterpret_cast<const double*>(lines.data());
      numbers.insert(numbers.end(), first,
                     first + lines.size() * sizeof(lines[0]) / sizeof(double));
    };
    for (const BlockChunk& chunk : problem.layout.chunks) {
      const SweepChange change = GetParam().sweeps == SweepKind::kAlartCurnier
                                     ? SweepAlartCurnier(sweep, chunk)
                                     : SweepProjected(sweep, chunk);
      numbers.insert(numbers.end(), {change.length_squared, change.against});
      for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
        const ResidualParts parts =
            MeasureResidual(problem.span(), chunk, law, impulse.data(), motion.data());
        std::vector<uint8_t> modes((chunk.end - chunk.begin) * kLanes);
        const double worst = DescribeContacts(problem.span(), chunk, law, impulse.data(),
                                              motion.data(), modes.data());
        numbers.insert(numbers.end(), {parts.violation, parts.impulse, worst});
        numbers.insert(numbers.end(), modes.begin(), modes.end());
      }
      const DrivingParts driving = MeasureDriving(problem.span(), chunk, motion.data());
      numbers.insert(numbers.end(), {driving.pressing, driving.largest});
      AddImpulses(problem.span(), chunk, impulse.data(), last_.data(), motion.data());
      std::vector<WrenchBlock> velocity(chunk.end - chunk.begin);
      FindLocalVelocities(problem.span(), chunk, impulse.data(), motion.data(), velocity.data());
      add(velocity);
      std::vector<PartBlock> weights(chunk.end - chunk.begin);
      FindWeights(problem.span(), chunk, motion.data(), weights.data());
      add(weights);
      std::vector<WrenchBlock> all_velocities(problem.layout.block_count());
      std::ranges::copy(velocity, all_velocities.begin() + chunk.begin);
      ProjectImpulses(problem.span(), chunk, 0.3, motion.data(), all_velocities.data(),
                      impulse.data());
    }
    add(impulse);
    add(std::span(motion).first(problem.rows.count()));
    return numbers;
  }

  AssembledProblem floats_, doubles_;
  std::vector<WrenchBlock> last_, before_;
};

TEST_P(FloatBlocks, AreComputedWithAsDoublesAre) {
  ASSERT_TRUE(floats_.in_floats);
  ASSERT_TRUE(floats_.blocks.empty());
  for (const std::string_view target : KernelTargets()) {
    SCOPED_TRACE(std::string(target));
    UseKernelTarget(target);
    EXPECT_EQ(Run(floats_), Run(doubles_));
  }
  UseKernelTarget("");
}

TEST_P(FloatBlocks, HoldWhatBlocksOfDoublesHoldInTheirUnits) {
  const AssembledProblem exact = Make(false);
  const ProblemUnits& units = floats_.units;
  EXPECT_NE(units, ProblemUnits{});
  ASSERT_EQ(exact.layout.slot_contact, floats_.layout.slot_contact);
  for (size_t index = 0; index < exact.blocks.size(); ++index) {
    ContactBlock expected = exact.blocks[index];
    const auto divide = [](Lanes& lanes, double unit) {
      for (double& value : lanes) value /= unit;
    };
    divide(expected.reach_a, units.length);
    divide(expected.reach_b, units.length);
    divide(expected.bias, units.speed);
    divide(expected.friction[kSpinning - kSliding], units.length);
    divide(expected.friction[kRolling - kSliding], units.length);
    divide(expected.step[0], 1.0 / units.inverse_mass);
    divide(expected.step[1], 1.0 / units.inverse_mass);
    divide(expected.step[2], 1.0 / units.inverse_inertia());
    EXPECT_TRUE(std::ranges::equal(expected.line_a, floats_.float_blocks[index].line_a));
    EXPECT_TRUE(std::ranges::equal(expected.line_b, floats_.float_blocks[index].line_b));
    const std::vector<double> numbers = Numbers(expected);
    const std::vector<double> held = Numbers(floats_.float_blocks[index]);
    ASSERT_EQ(held.size(), numbers.size());
    const size_t count = exact.layout.CountContacts(index);
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (i % kLanes >= count) continue;
      // Steps come from geometry that is rounded already.
      EXPECT_NEAR(held[i], numbers[i], 1e-6 * std::abs(numbers[i])) << index << " " << i;
    }
  }
}

TEST_P(FloatBlocks, AreNotWhatBodiesTooDifferentGet) {
  Random random(kFloatBlocksSeed);
  testing::TestProblem input = MakePairs(GetParam().touch, kPairs, random);
  input.bodies.inverse_masses[1] *= 1e9;
  EXPECT_TRUE(Assemble(input, {GetParam().sweeps, true}).in_floats);
  input.bodies.inverse_masses[1] *= 1e5;
  const AssembledProblem apart = Assemble(input, {GetParam().sweeps, true});
  EXPECT_FALSE(apart.in_floats);
  EXPECT_EQ(apart.units, ProblemUnits{});
  EXPECT_EQ(apart.blocks.size(), apart.layout.block_count());
}

INSTANTIATE_TEST_SUITE_P(Kinds, FloatBlocks, testing::AllSweptPairs(),
                         [](const auto& test) { return NameOf(test.param); });

TEST(ProblemUnits, AreThePowersOfTwoOfTheLargest) {
  std::vector<BodyMotion> motions(3);
  motions[0].inverse_mass = 5.0;
  motions[1].inverse_mass = 0.1;
  motions[1].inverse_inertia = 70.0;
  motions[2].linear[1] = -0.3;
  const ProblemUnits units = ChooseUnits(motions);
  EXPECT_EQ(units.inverse_mass, 4.0);
  EXPECT_EQ(units.length, 0.25);  // sqrt(5 / 70) = 0.267
  EXPECT_EQ(units.speed, 0.25);
  EXPECT_EQ(units.impulse(0), 0.25 / 4.0);
  EXPECT_EQ(units.impulse(5), 0.25 / 4.0 * 0.25);
  EXPECT_EQ(units.weight(kSliding), 4.0);
  EXPECT_EQ(units.weight(kRolling), 64.0);
}

TEST(ProblemUnits, OfNothingAreThoseOfTheWorld) {
  EXPECT_EQ(ChooseUnits({}), ProblemUnits{});
  EXPECT_TRUE(FitFloats({}));
}

TEST(ProblemUnits, FloatsKeepToTheirBounds) {
  EXPECT_EQ(Store<float>(1e-19), 0.0F);
  EXPECT_EQ(Store<float>(-1e300), static_cast<float>(-kLargestStored));
  EXPECT_EQ(Store<float>(0.1), 0.1F);
  EXPECT_EQ(Store<double>(1e-300), 1e-300);
}

}  // namespace
}  // namespace talus
