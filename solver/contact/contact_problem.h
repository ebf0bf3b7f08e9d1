// The contact problem of one step: everything that is constant while it is solved.
//
//   u = Dᵀ v + E γ + b,   v = v_free + M⁻¹ D γ,   law(u, γ)             docs/NOTATION.md §2
//
// E is the compliance of the contacts (compliance.h), a diagonal, zero where they are rigid; where
// it is not, W below is W + E. The metric gives each contact four steps: s_n, s_t, s_r, s_s, the
// inverse square roots of the diagonal of its local block W = D_iᵀ M⁻¹ D_i (means over the two
// tangents); in scaled unknowns γ' = γ / s, u' = s u, all rows have one unit. It is kept as weights
// 1 / s², so that ‖γ'‖² = Σ weight γ². Does not know shapes, materials' names or time.
//
// The steps of a sweep (ContactBlock::step), by part: for Alart–Curnier sweeps 1 / W_nn, 1 / λ_max
// of the two sliding rows of W, 1 / W of the spinning row, 1 / λ_max of the two rolling rows; for
// projected sweeps 1 / (λ weight), λ an upper bound of the largest eigenvalue of S W S.
#pragma once

#include <span>
#include <vector>

#include "solver/contact/block_layout.h"
#include "solver/contact/body_rows.h"
#include "solver/contact/compliance_block.h"
#include "solver/contact/contact_block.h"
#include "solver/contact/problem_units.h"

namespace talus {

struct ContactProblem {
  BodyRows rows;
  // By body, as they were without contact, m/s and rad/s: borrowed from who asked for the assembly.
  std::span<const Vec3> free_linear_velocities;
  std::span<const Vec3> free_angular_velocities;
  std::vector<InertiaLine> inertia;  // by row; empty when all are round (BlockGeometry)
  // Its blocks are of doubles or of floats, which the kernels compute with in doubles; `wide` of
  // those that are not central (BlockChunk::first_wide).
  bool in_floats = false;
  std::vector<ContactBlock> blocks;
  std::vector<WideBlock> wide;
  std::vector<ContactBlockOf<float>> float_blocks;
  std::vector<WideBlockOf<float>> float_wide;
  // By block; empty where all contacts are rigid. Only beside blocks of doubles.
  std::vector<ComplianceBlock> compliance;
  ProblemUnits units;  // of all of it, its impulses and velocities: SI where blocks are of doubles
  BlockLayout layout;
  double free_scale = 0.0;  // ‖Π_Z'(−r')‖ with r = Dᵀ v_free + b: what the residual is relative to
  double largest_free = 0.0;  // ‖r̃‖ of the contact where it is largest: what η is relative to

  // Lines of motion: one a row, then the null bodies, one a strand, that the empty lanes of its
  // blocks push about.
  size_t motion_count() const { return rows.count() + layout.strand_count(); }
  BlockSpan span() const {
    if (in_floats) return {{}, {float_blocks.data(), float_wide.data(), inertia.data(), nullptr}};
    return {{blocks.data(), wide.data(), inertia.data(),
             compliance.empty() ? nullptr : compliance.data()},
            {}};
  }
};

}  // namespace talus
