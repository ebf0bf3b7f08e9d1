#include "solver/solvers/single_sweeps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/base/slack.h"

namespace talus {
namespace {

constexpr size_t kChunk = 1024;
// In units that make the largest numbers near one, smaller ones are nothing beside them; and their
// squares would leave the range in which a processor is fast.
constexpr double kNothing = 1e-18;

// The power of two at or below `value`; 1 where there is none.
double PowerBelow(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
  return std::ldexp(1.0, std::ilogb(value));
}

float Narrow(double value) { return std::abs(value) < kNothing ? 0.0F : static_cast<float>(value); }
void Narrow(const LanesOf<double>& from, double factor, LanesOf<float>& to) {
  for (size_t lane = 0; lane < kLanes; ++lane) to[lane] = Narrow(from[lane] * factor);
}

// Factors from SI to the units.
struct Factors {
  explicit Factors(const SingleUnits& units)
      : length(1.0 / units.length),
        speed(1.0 / units.speed),
        turn(units.length / units.speed),
        force(units.inverse_mass / units.speed),
        torque(force * length),
        inverse_mass(1.0 / units.inverse_mass),
        inverse_inertia(units.length * units.length / units.inverse_mass) {}

  double length, speed, turn;  // m, m/s, rad/s
  double force, torque;        // impulses
  double inverse_mass, inverse_inertia;

  double Impulse(int row) const { return row < 3 ? force : torque; }
  double Weight(Part part) const {
    return part == kNormal || part == kSliding ? inverse_mass : inverse_inertia;
  }
};

void NarrowBlock(const ContactBlock& from, const Factors& to_units, ContactBlockOf<float>& to) {
  std::ranges::copy(from.line_a, to.line_a);
  std::ranges::copy(from.line_b, to.line_b);
  for (int k = 0; k < 3; ++k) {
    Narrow(from.normal[k], 1.0, to.normal[k]);
    Narrow(from.tangent[k], 1.0, to.tangent[k]);
  }
  Narrow(from.reach_a, to_units.length, to.reach_a);
  Narrow(from.reach_b, to_units.length, to.reach_b);
  Narrow(from.bias, to_units.speed, to.bias);
  for (const Part part : {kSliding, kSpinning, kRolling}) {
    const int k = part - kSliding;
    Narrow(from.friction[k], part == kSliding ? 1.0 : to_units.length, to.friction[k]);
  }
  Narrow(from.step[0], 1.0 / to_units.Weight(kNormal), to.step[0]);
  Narrow(from.step[1], 1.0 / to_units.Weight(kSliding), to.step[1]);
  Narrow(from.step[2], 1.0 / to_units.Weight(kRolling), to.step[2]);
}

// Without the step of the residual η, which is measured in double precision.
void NarrowWide(const WideBlock& from, const Factors& to_units, WideBlockOf<float>& to) {
  for (int k = 0; k < 3; ++k) {
    Narrow(from.arm_a[k], to_units.length, to.arm_a[k]);
    Narrow(from.arm_b[k], to_units.length, to.arm_b[k]);
  }
  for (const Part part : {kNormal, kSliding, kSpinning, kRolling}) {
    Narrow(from.weight.part[part], to_units.Weight(part), to.weight.part[part]);
  }
  Narrow(from.spinning_step, 1.0 / to_units.Weight(kSpinning), to.spinning_step);
}

InertiaLineOf<float> NarrowInertia(const InertiaLine& from, const Factors& to_units) {
  const double factor = to_units.inverse_inertia;
  return {Narrow(from.xx * factor),
          Narrow(from.yy * factor),
          Narrow(from.zz * factor),
          Narrow(from.xy * factor),
          Narrow(from.xz * factor),
          Narrow(from.yz * factor),
          {}};
}

WrenchBlockOf<float> NarrowImpulse(const WrenchBlock& from, const Factors& to_units) {
  WrenchBlockOf<float> to;
  for (int k = 0; k < 6; ++k) Narrow(from.row[k], to_units.Impulse(k), to.row[k]);
  return to;
}

BodyMotionOf<float> NarrowMotion(const BodyMotion& from, const Factors& to_units) {
  BodyMotionOf<float> to;
  for (int k = 0; k < 3; ++k) {
    to.linear[k] = Narrow(from.linear[k] * to_units.speed);
    to.angular[k] = Narrow(from.angular[k] * to_units.turn);
  }
  to.inverse_mass = Narrow(from.inverse_mass * to_units.inverse_mass);
  to.inverse_inertia = Narrow(from.inverse_inertia * to_units.inverse_inertia);
  return to;
}

// Units that make the largest of each quantity near one.
SingleUnits ChooseUnits(const ContactProblem& problem) {
  double inverse_mass = 0.0;
  double inverse_inertia = 0.0;
  double speed = 0.0;
  for (size_t row = 0; row < problem.rows.count(); ++row) {
    const BodyMotion& motion = problem.free_motion[row];
    inverse_mass = std::max(inverse_mass, motion.inverse_mass);
    inverse_inertia = std::max(inverse_inertia, motion.inverse_inertia);
    for (const double v : motion.linear) speed = std::max(speed, std::abs(v));
  }
  return {PowerBelow(inverse_mass), PowerBelow(std::sqrt(inverse_mass / inverse_inertia)),
          PowerBelow(speed)};
}

}  // namespace

void SingleSweeps::Fill(WorkerArena& workers, const ContactProblem& problem) {
  units_ = ChooseUnits(problem);
  const Factors to_units(units_);
  ResizeBuffer(blocks_, problem.blocks.size());
  ResizeBuffer(wide_, problem.wide.size());
  ResizeBuffer(inertia_, problem.inertia.size());
  ForEachChunk(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
      NarrowBlock(problem.blocks[index], to_units, blocks_[index]);
      if (chunk.kind.geometry == BlockGeometry::kCentral) continue;
      NarrowWide(*FindWide(problem.wide.data(), chunk, index), to_units,
                 *FindWide(wide_.data(), chunk, index));
    }
  });
  ParallelFor(workers, inertia_.size(), kChunk,
              [&](size_t row) { inertia_[row] = NarrowInertia(problem.inertia[row], to_units); });
  filled_ = true;
}

void SingleSweeps::Enter(WorkerArena& workers, const ContactProblem& problem,
                         const Iterate& current, PreviousIterate& previous) {
  if (!filled_) Fill(workers, problem);
  const Factors to_units(units_);
  const auto narrow_impulse = [&](const WrenchBlock& from) {
    return NarrowImpulse(from, to_units);
  };
  const auto narrow_motion = [&](const BodyMotion& from) { return NarrowMotion(from, to_units); };
  const auto impulses = previous.impulses.Halve<WrenchBlockOf<float>, WrenchBlock>(
      workers, previous.impulse.size(), narrow_impulse);
  const auto motions = previous.motions.Halve<BodyMotionOf<float>, BodyMotion>(
      workers, previous.motion.size(), narrow_motion);
  previous_impulse_ = impulses.first;
  previous_motion_ = motions.first;
  impulse_ = impulses.second;
  motion_ = motions.second;
  ParallelFor(workers, impulse_.size(), kChunk,
              [&](size_t index) { impulse_[index] = narrow_impulse(current.impulse[index]); });
  ParallelFor(workers, motion_.size(), kChunk,
              [&](size_t row) { motion_[row] = narrow_motion(current.motion[row]); });
  // A solve so long may have an iterate to keep: the memory is asked for here, so that a later
  // step, the first with a measurement in vain, does not have to.
  ResizeBuffer(kept_, impulse_.size());
}

SweepChange SingleSweeps::Sweep(WorkerArena& workers, const ContactProblem& problem,
                                const SweepMethod& method, double beta, double extra_gap) {
  const SweepBlocksOf<float> blocks{{blocks_.data(), wide_.data(), inertia_.data()},
                                    motion_.data(),
                                    impulse_.data(),
                                    previous_impulse_.data(),
                                    beta,
                                    extra_gap,
                                    method.accelerated};
  const SweepChange change =
      SweepStrands(workers, problem, blocks, previous_motion_.data(), method.single, partial_);
  std::swap(impulse_, previous_impulse_);
  const double unit = units_.speed * units_.speed / units_.inverse_mass;
  return {unit * change.length_squared, unit * change.against};
}

void SingleSweeps::Keep(WorkerArena& workers) {
  ParallelFor(workers, impulse_.size(), kChunk,
              [&](size_t index) { kept_[index] = impulse_[index]; });
}

void SingleSweeps::Widen(WorkerArena& workers, const ContactProblem& problem,
                         std::span<const WrenchBlockOf<float>> impulse, Iterate& to) const {
  const Factors to_units(units_);
  ParallelFor(workers, to.impulse.size(), kChunk, [&](size_t index) {
    for (int k = 0; k < 6; ++k) {
      const double unit = 1.0 / to_units.Impulse(k);
      const LanesOf<float>& from = impulse[index].row[k];
      for (size_t lane = 0; lane < kLanes; ++lane) {
        to.impulse[index].row[k][lane] = unit * from[lane];
      }
    }
  });
  ComputeVelocities(workers, problem, to);
}

}  // namespace talus
