#include "solver/solvers/single_sweeps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/base/slack.h"

namespace talus {
namespace {

constexpr size_t kSingleChunk = 1024;
float Narrow(double value) { return Store<float>(value); }
// `unit` in those of `from`, a power of two.
void Narrow(const LanesOf<double>& from, double unit, LanesOf<float>& to) {
  const double factor = 1.0 / unit;
  for (size_t lane = 0; lane < kLanes; ++lane) to[lane] = Narrow(from[lane] * factor);
}

void NarrowBlock(const ContactBlock& from, const ProblemUnits& units, ContactBlockOf<float>& to) {
  std::ranges::copy(from.line_a, to.line_a);
  std::ranges::copy(from.line_b, to.line_b);
  for (int k = 0; k < 3; ++k) {
    Narrow(from.normal[k], 1.0, to.normal[k]);
    Narrow(from.tangent[k], 1.0, to.tangent[k]);
  }
  Narrow(from.reach_a, units.length, to.reach_a);
  Narrow(from.reach_b, units.length, to.reach_b);
  Narrow(from.bias, units.speed, to.bias);
  for (const Part part : {kSliding, kSpinning, kRolling}) {
    const int k = part - kSliding;
    Narrow(from.friction[k], part == kSliding ? 1.0 : units.length, to.friction[k]);
  }
  Narrow(from.step[0], 1.0 / units.weight(kNormal), to.step[0]);
  Narrow(from.step[1], 1.0 / units.weight(kSliding), to.step[1]);
  Narrow(from.step[2], 1.0 / units.weight(kRolling), to.step[2]);
}

// Without the step of the residual η, which is measured in double precision.
void NarrowWide(const WideBlock& from, const ProblemUnits& units, WideBlockOf<float>& to) {
  for (int k = 0; k < 3; ++k) {
    Narrow(from.arm_a[k], units.length, to.arm_a[k]);
    Narrow(from.arm_b[k], units.length, to.arm_b[k]);
  }
  for (const Part part : {kNormal, kSliding, kSpinning, kRolling}) {
    Narrow(from.weight.part[part], units.weight(part), to.weight.part[part]);
  }
  Narrow(from.spinning_step, 1.0 / units.weight(kSpinning), to.spinning_step);
}

InertiaLineOf<float> NarrowInertia(const InertiaLine& from, const ProblemUnits& units) {
  const double factor = 1.0 / units.inverse_inertia();
  return {Narrow(from.xx * factor),
          Narrow(from.yy * factor),
          Narrow(from.zz * factor),
          Narrow(from.xy * factor),
          Narrow(from.xz * factor),
          Narrow(from.yz * factor),
          {}};
}

WrenchBlockOf<float> NarrowImpulse(const WrenchBlock& from, const ProblemUnits& units) {
  WrenchBlockOf<float> to;
  for (int k = 0; k < 6; ++k) Narrow(from.row[k], units.impulse(k), to.row[k]);
  return to;
}

BodyMotionOf<float> NarrowMotion(const BodyMotion& from, const ProblemUnits& units) {
  const double per_speed = 1.0 / units.speed;
  const double per_turn = 1.0 / units.turn();
  BodyMotionOf<float> to;
  for (int k = 0; k < 3; ++k) {
    to.linear[k] = Narrow(from.linear[k] * per_speed);
    to.angular[k] = Narrow(from.angular[k] * per_turn);
  }
  to.inverse_mass = Narrow(from.inverse_mass / units.inverse_mass);
  to.inverse_inertia = Narrow(from.inverse_inertia / units.inverse_inertia());
  return to;
}

}  // namespace

void SingleSweeps::Fill(WorkerArena& workers, const ContactProblem& problem,
                        const Iterate& current) {
  filled_ = true;
  ResizeBuffer(inertia_, problem.inertia.size());
  // Blocks of floats are as the sweeps want them, in units of their own.
  units_ = problem.in_floats ? ProblemUnits{}
                             : ChooseUnits(std::span(current.motion).first(problem.rows.count()));
  ParallelFor(workers, inertia_.size(), kSingleChunk,
              [&](size_t row) { inertia_[row] = NarrowInertia(problem.inertia[row], units_); });
  if (problem.in_floats) return;
  ResizeBuffer(blocks_, problem.blocks.size());
  ResizeBuffer(wide_, problem.wide.size());
  ForEachChunk(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
      NarrowBlock(problem.blocks[index], units_, blocks_[index]);
      if (chunk.kind.geometry == BlockGeometry::kCentral) continue;
      NarrowWide(*FindWide(problem.wide.data(), chunk, index), units_,
                 *FindWide(wide_.data(), chunk, index));
    }
  });
}

void SingleSweeps::Enter(WorkerArena& workers, const ContactProblem& problem,
                         const Iterate& current, PreviousIterate& previous) {
  if (!filled_) Fill(workers, problem, current);
  const auto narrow_impulse = [&](const WrenchBlock& from) { return NarrowImpulse(from, units_); };
  const auto narrow_motion = [&](const BodyMotion& from) { return NarrowMotion(from, units_); };
  const auto impulses = previous.impulses.Halve<WrenchBlockOf<float>, WrenchBlock>(
      workers, previous.impulse.size(), narrow_impulse);
  const auto motions = previous.motions.Halve<BodyMotionOf<float>, BodyMotion>(
      workers, previous.motion.size(), narrow_motion);
  previous_impulse_ = impulses.first;
  previous_motion_ = motions.first;
  impulse_ = impulses.second;
  motion_ = motions.second;
  ParallelFor(workers, impulse_.size(), kSingleChunk,
              [&](size_t index) { impulse_[index] = narrow_impulse(current.impulse[index]); });
  ParallelFor(workers, motion_.size(), kSingleChunk,
              [&](size_t row) { motion_[row] = narrow_motion(current.motion[row]); });
  // A solve so long may have an iterate to keep: the memory is asked for here, so that a later
  // step, the first with a measurement in vain, does not have to.
  ResizeBuffer(kept_, impulse_.size());
}

SweepChange SingleSweeps::Sweep(WorkerArena& workers, const ContactProblem& problem,
                                const SweepMethod& method, double beta, double extra_gap) {
  const SingleBlockSpan span =
      problem.in_floats
          ? SingleBlockSpan{problem.float_blocks.data(), problem.float_wide.data(), inertia_.data()}
          : SingleBlockSpan{blocks_.data(), wide_.data(), inertia_.data()};
  const SingleSweepBlocks blocks{span, motion_.data(), impulse_.data(),   previous_impulse_.data(),
                                 beta, extra_gap,      method.accelerated};
  const SweepChange change =
      SweepStrands(workers, problem, blocks, previous_motion_.data(), method.single, partial_);
  std::swap(impulse_, previous_impulse_);
  const double unit = units_.energy();
  return {unit * change.length_squared, unit * change.against};
}

void SingleSweeps::Keep(WorkerArena& workers) {
  ParallelFor(workers, impulse_.size(), kSingleChunk,
              [&](size_t index) { kept_[index] = impulse_[index]; });
}

void SingleSweeps::Widen(WorkerArena& workers, const ContactProblem& problem,
                         std::span<const WrenchBlockOf<float>> impulse, Iterate& to) const {
  ParallelFor(workers, to.impulse.size(), kSingleChunk, [&](size_t index) {
    for (int k = 0; k < 6; ++k) {
      const double unit = units_.impulse(k);
      const LanesOf<float>& from = impulse[index].row[k];
      for (size_t lane = 0; lane < kLanes; ++lane) {
        to.impulse[index].row[k][lane] = unit * from[lane];
      }
    }
  });
  ComputeVelocities(workers, problem, to);
}

}  // namespace talus
