// The mathematics of one contact in plain scalars, as the kernels' tests expect it: written from
// the formulas of docs/NOTATION.md with the local block stored, where the kernels never form it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/contact/contact_frame.h"
#include "solver/contact/contact_problem.h"
#include "solver/scene/solver_settings.h"
#include "tests/support/contact_problems.h"

namespace talus::testing {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

struct RollingCone {
  double sliding = 0.0;   // μ
  double rolling = 0.0;   // ρ
  double spinning = 0.0;  // σ
};

// The nearest point of the cone, by trying all sets of parts at their bound: the best admissible.
inline Wrench ProjectToCone(const RollingCone& cone, const Wrench& x) {
  const std::array<double, 3> m = {cone.sliding, cone.rolling, cone.spinning};
  const std::array<double, 3> length = {x.segment<2>(1).norm(), x.segment<2>(4).norm(),
                                        std::abs(x[3])};
  Wrench best = Wrench::Zero();
  double least = x.squaredNorm();
  for (unsigned set = 0; set < 8; ++set) {
    double numerator = x[0];
    double denominator = 1.0;
    for (size_t i = 0; i < 3; ++i) {
      if ((set >> i & 1) == 0) continue;
      numerator += m[i] * length[i];
      denominator += m[i] * m[i];
    }
    const double y = std::max(0.0, numerator / denominator);
    std::array<double, 3> shrink;
    for (size_t i = 0; i < 3; ++i) {
      shrink[i] = m[i] * y < length[i] ? m[i] * y / length[i] : 1.0;
    }
    Wrench candidate;
    candidate << y, shrink[0] * x[1], shrink[0] * x[2], shrink[2] * x[3], shrink[1] * x[4],
        shrink[1] * x[5];
    if ((candidate - x).squaredNorm() < least) {
      least = (candidate - x).squaredNorm();
      best = candidate;
    }
  }
  return best;
}

// One contact, read back from its block.
struct ContactRow {
  uint32_t body_a = 0;
  uint32_t body_b = 0;
  BlockKind kind;
  Vec3 n, u, w;
  Vec3 arm_a, arm_b;
  double bias = 0.0;
  RollingCone cone;
  Wrench weight;  // of the metric, by row
  Wrench step;    // of the sweeps, by row
};

inline ContactFrame ReadFrame(const ContactBlock& block, size_t lane) {
  const auto vector = [lane](const Lanes* rows) {
    return Vec3(rows[0][lane], rows[1][lane], rows[2][lane]);
  };
  const Vec3 n = vector(block.normal);
  const Vec3 u = vector(block.tangent);
  return {n, u, n.cross(u)};
}

inline ContactRow ReadRow(const AssembledProblem& problem, const BlockChunk& chunk, uint32_t index,
                          size_t lane) {
  const ContactBlock& block = problem.blocks[index];
  const uint32_t own = index - chunk.begin;
  std::vector<PartBlock> weights(chunk.end - chunk.begin);
  FindWeights(problem.span(), chunk, problem.free_motion.data(), weights.data());
  const ContactFrame frame = ReadFrame(block, lane);
  ContactRow c;
  c.body_a = block.line_a[lane] / kLineReals;
  c.body_b = block.line_b[lane] / kLineReals;
  c.kind = chunk.kind;
  c.n = frame.n;
  c.u = frame.u;
  c.w = frame.w;
  c.arm_a = block.reach_a[lane] * c.n;
  c.arm_b = block.reach_b[lane] * c.n;
  double spinning_step = block.step[2][lane];
  if (const WideBlock* wide = FindWide(problem.wide.data(), chunk, index)) {
    c.arm_a = Vec3(wide->arm_a[0][lane], wide->arm_a[1][lane], wide->arm_a[2][lane]);
    c.arm_b = Vec3(wide->arm_b[0][lane], wide->arm_b[1][lane], wide->arm_b[2][lane]);
    spinning_step = wide->spinning_step[lane];
  }
  c.bias = block.bias[lane];
  c.cone = {block.Friction(kSliding, lane), block.Friction(kRolling, lane),
            block.Friction(kSpinning, lane)};
  const double step[kPartCount] = {block.step[0][lane], block.step[1][lane], spinning_step,
                                   block.step[2][lane]};
  for (int row = 0; row < 6; ++row) {
    c.weight[row] = weights[own].part[kPartOfRow[row]][lane];
    c.step[row] = step[kPartOfRow[row]];
  }
  return c;
}

// All contacts, block by block; body(index of the block, lane, row).
template <typename Body>
void ForEachRow(const AssembledProblem& problem, const Body& body) {
  for (const BlockChunk& chunk : problem.layout.chunks) {
    for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
      for (size_t lane = 0; lane < problem.layout.CountContacts(index); ++lane) {
        body(index, lane, ReadRow(problem, chunk, index, lane));
      }
    }
  }
}

// D_iᵀ v + b_i.
inline Wrench LocalVelocity(const ContactRow& c, const BodyMotion& a, const BodyMotion& b) {
  const Vec3 linear =
      b.Linear() + b.Angular().cross(c.arm_b) - a.Linear() - a.Angular().cross(c.arm_a);
  const Vec3 angular = b.Angular() - a.Angular();
  Wrench u;
  u << c.n.dot(linear) + c.bias, c.u.dot(linear), c.w.dot(linear), c.n.dot(angular),
      c.u.dot(angular), c.w.dot(angular);
  return u;
}

inline Mat3 InverseInertia(const AssembledProblem& problem, uint32_t row) {
  if (problem.inertia.empty()) {
    return problem.free_motion[row].inverse_inertia * Mat3::Identity();
  }
  const InertiaLine& line = problem.inertia[row];
  Mat3 inertia;
  inertia << line.xx, line.xy, line.xz, line.xy, line.yy, line.yz, line.xz, line.yz, line.zz;
  return inertia;
}

// v += M⁻¹ D_i g.
inline void AddImpulse(const AssembledProblem& problem, const ContactRow& c, const Wrench& g,
                       std::vector<BodyMotion>& motion) {
  const Vec3 force = g[0] * c.n + g[1] * c.u + g[2] * c.w;
  const Vec3 torque = g[3] * c.n + g[4] * c.u + g[5] * c.w;
  BodyMotion& a = motion[c.body_a];
  BodyMotion& b = motion[c.body_b];
  a.Set(a.Linear() - a.inverse_mass * force,
        a.Angular() - InverseInertia(problem, c.body_a) * (c.arm_a.cross(force) + torque));
  b.Set(b.Linear() + b.inverse_mass * force,
        b.Angular() + InverseInertia(problem, c.body_b) * (c.arm_b.cross(force) + torque));
}

// W = D_iᵀ M⁻¹ D_i, from its meaning: the velocity that unit impulses make.
inline Matrix6 LocalBlock(const AssembledProblem& problem, const ContactRow& c) {
  Matrix6 block;
  for (int k = 0; k < 6; ++k) {
    std::vector<BodyMotion> motion = problem.free_motion;
    motion[c.body_a].Set(Vec3::Zero(), Vec3::Zero());
    motion[c.body_b].Set(Vec3::Zero(), Vec3::Zero());
    AddImpulse(problem, c, Wrench::Unit(k), motion);
    block.col(k) = LocalVelocity(c, motion[c.body_a], motion[c.body_b]);
    block(0, k) -= c.bias;
  }
  return block;
}

// Alart–Curnier: u is the velocity that belongs to g.
inline Wrench AlartCurnierStep(const ContactRow& c, const Matrix6& w, const Wrench& g, Wrench u) {
  Wrench next = g;
  const auto clip = [&](int row, int size, double bound) {
    next.segment(row, size) -= c.step.segment(row, size).cwiseProduct(u.segment(row, size));
    const double length = next.segment(row, size).norm();
    if (length > bound) next.segment(row, size) *= bound / length;
    u += w.middleCols(row, size) * (next - g).segment(row, size);
  };
  next[0] = std::max(0.0, g[0] - c.step[0] * u[0]);
  u += w.col(0) * (next[0] - g[0]);
  clip(1, 2, c.cone.sliding * next[0]);
  clip(4, 2, c.cone.rolling * next[0]);
  clip(3, 1, c.cone.spinning * next[0]);
  return next;
}

// Projection in the metric of `weight`.
inline Wrench ProjectInMetric(const RollingCone& cone, const Wrench& weight, const Wrench& x) {
  const Wrench scale = weight.cwiseSqrt();
  const RollingCone scaled{cone.sliding * scale[1] / scale[0], cone.rolling * scale[4] / scale[0],
                           cone.spinning * scale[3] / scale[0]};
  return ProjectToCone(scaled, x.cwiseProduct(scale)).cwiseQuotient(scale);
}

inline Wrench ProjectedStep(const ContactRow& c, const Matrix6&, const Wrench& g, const Wrench& u) {
  return ProjectInMetric(c.cone, c.weight, g - c.step.cwiseProduct(u));
}

// The velocity a law pairs with the impulse (contact/residual.h).
inline Wrench PairedVelocity(ContactLaw law, const RollingCone& cone, Wrench u) {
  if (law == ContactLaw::kNcp) {
    u[0] += cone.sliding * u.segment<2>(1).norm() + cone.rolling * u.segment<2>(4).norm() +
            cone.spinning * std::abs(u[3]);
  }
  return u;
}

}  // namespace talus::testing
