#include "solver/contact/assemble.h"

#include <algorithm>
#include <cmath>

#include "solver/base/slack.h"
#include "solver/contact/chunk_loop.h"
#include "solver/contact/contact_frame.h"
#include "solver/contact/residual.h"

namespace talus {
namespace {

constexpr size_t kChunk = 512;
// A contact point this close to the normal through the centre of mass, relative to the arm, is on
// it: rounding far from the origin is smaller.
constexpr double kOnNormal = 1e-9;
// Row sum of the scaled block from which a second step pays.
constexpr double kStrongCoupling = 1.5;

bool IsRound(const Mat3& inertia) {
  return inertia(0, 0) == inertia(1, 1) && inertia(0, 0) == inertia(2, 2) && inertia(0, 1) == 0.0 &&
         inertia(0, 2) == 0.0 && inertia(1, 2) == 0.0 && inertia(1, 0) == 0.0 &&
         inertia(2, 0) == 0.0 && inertia(2, 1) == 0.0;
}

// A body without a tensor of its own, or with one that is a multiple of the identity.
bool IsRound(const DynamicsView& bodies, size_t row) {
  const uint32_t tensor = bodies.tensor_rows[row];
  return tensor == kNoTensor || IsRound(bodies.inverse_tensors_world[tensor]);
}

Mat3 FindInverseInertia(const DynamicsView& bodies, size_t row) {
  const uint32_t tensor = bodies.tensor_rows[row];
  return tensor != kNoTensor ? bodies.inverse_tensors_world[tensor]
                             : Mat3(bodies.inverse_inertias[row] * Mat3::Identity());
}

InertiaLine LineOf(const Mat3& inertia) {
  return {inertia(0, 0),
          inertia(1, 1),
          inertia(2, 2),
          0.5 * (inertia(0, 1) + inertia(1, 0)),
          0.5 * (inertia(0, 2) + inertia(2, 0)),
          0.5 * (inertia(1, 2) + inertia(2, 1)),
          {}};
}

void FillBodies(WorkerArena& workers, const DynamicsView& bodies, ContactProblem& problem) {
  const size_t count = problem.rows.count();
  const size_t null_count = problem.rows.strand_begin.size() - 1;
  ResizeBuffer(problem.free_motion, count + null_count);
  ParallelFor(workers, count, kChunk, [&](size_t row) {
    const uint32_t body = problem.rows.body[row];
    BodyMotion& motion = problem.free_motion[row];
    motion.Set(bodies.free_linear_velocities[body], bodies.free_angular_velocities[body]);
    motion.inverse_mass = bodies.inverse_masses[body];
    const uint32_t tensor = bodies.tensor_rows[body];
    motion.inverse_inertia = !motion.dynamic()     ? 0.0
                             : tensor == kNoTensor ? bodies.inverse_inertias[body]
                                                   : bodies.inverse_tensors_world[tensor](0, 0);
  });
  // Null bodies have mass and inertia one, so that a null contact's block is as good as any.
  std::fill_n(problem.free_motion.begin() + count, null_count, BodyMotion{{}, 1.0, {}, 1.0});
  const bool all_round = std::ranges::all_of(bodies.inverse_tensors_world,
                                             [](const Mat3& inertia) { return IsRound(inertia); });
  ResizeBuffer(problem.inertia, all_round ? 0 : count + null_count);
  if (all_round) return;
  ParallelFor(workers, count, kChunk, [&](size_t row) {
    problem.inertia[row] = problem.free_motion[row].dynamic()
                               ? LineOf(FindInverseInertia(bodies, problem.rows.body[row]))
                               : InertiaLine{};
  });
  std::fill_n(problem.inertia.begin() + count, null_count,
              InertiaLine{1.0, 1.0, 1.0, 0.0, 0.0, 0.0, {}});
}

bool IsCentral(const BodyMotion& motion, const Vec3& arm, const Vec3& normal) {
  const bool fixed = !motion.dynamic() && motion.Angular().isZero(0.0);
  return fixed || arm.cross(normal).squaredNorm() <= kOnNormal * kOnNormal * arm.squaredNorm();
}

// The block of two round bodies touched below their centres: sliding along u couples with rolling
// about w and the other way round, nothing else does.
int32_t LocalSteps(const BodyMotion& a, const BodyMotion& b, double reach_a, double reach_b) {
  if (!a.dynamic() || !b.dynamic()) return 4;
  const double lever_a = a.inverse_inertia * reach_a;
  const double lever_b = b.inverse_inertia * reach_b;
  const double sliding = a.inverse_mass + b.inverse_mass + lever_a * reach_a + lever_b * reach_b;
  const double rolling = a.inverse_inertia + b.inverse_inertia;
  return 1.0 + std::abs(lever_a + lever_b) / std::sqrt(sliding * rolling) > kStrongCoupling ? 2 : 1;
}

BlockKind KindOf(const ContactInput& contact, const DynamicsView& bodies,
                 const ContactProblem& problem) {
  const BodyMotion& a = problem.free_motion[problem.rows.row[contact.body_a]];
  const BodyMotion& b = problem.free_motion[problem.rows.row[contact.body_b]];
  const bool round = problem.inertia.empty() ||
                     (IsRound(bodies, contact.body_a) && IsRound(bodies, contact.body_b));
  const BlockGeometry geometry = round ? BlockGeometry::kRound : BlockGeometry::kFull;
  const BlockKind any{geometry, a.dynamic(), b.dynamic(), 1};
  if (!round) return any;
  const Vec3 arm_a = contact.point - bodies.positions[contact.body_a];
  const Vec3 arm_b = contact.point - bodies.positions[contact.body_b];
  if (!IsCentral(a, arm_a, contact.normal) || !IsCentral(b, arm_b, contact.normal)) return any;
  return {BlockGeometry::kCentral, a.dynamic(), b.dynamic(),
          LocalSteps(a, b, arm_a.dot(contact.normal), arm_b.dot(contact.normal))};
}

double GapBias(const ContactInput& contact, double restitution, double old_normal_velocity,
               const AssemblySettings& settings) {
  const double h = settings.time_step_s;
  const double closing = contact.gap / h;
  double bias = contact.gap >= 0.0 ? closing : std::max(closing, -settings.recovery_speed_m_s);
  const bool impact = old_normal_velocity < -settings.restitution_threshold_m_s &&
                      contact.gap + h * old_normal_velocity <= 0.0;
  if (restitution > 0.0 && impact) bias = std::min(bias, restitution * old_normal_velocity);
  return bias;
}

// What the contact brings itself; CompleteBlocks does the rest. `wide` is null in central blocks.
void FillLane(const ContactInput& input, const DynamicsView& bodies, const BodyRows& rows,
              const AssemblySettings& settings, ContactBlock& block, WideBlock* wide, size_t lane) {
  const uint32_t a = input.body_a;
  const uint32_t b = input.body_b;
  const ContactFrame frame = MakeContactFrame(input.normal);
  const Vec3 arm_a = input.point - bodies.positions[a];
  const Vec3 arm_b = input.point - bodies.positions[b];
  block.line_a[lane] = rows.row[a] * kLineReals;
  block.line_b[lane] = rows.row[b] * kLineReals;
  for (int k = 0; k < 3; ++k) {
    block.normal[k][lane] = frame.n[k];
    block.tangent[k][lane] = frame.u[k];
    if (wide == nullptr) continue;
    wide->arm_a[k][lane] = arm_a[k];
    wide->arm_b[k][lane] = arm_b[k];
  }
  block.reach_a[lane] = arm_a.dot(frame.n);
  block.reach_b[lane] = arm_b.dot(frame.n);
  const Vec3 old_velocity =
      bodies.old_linear_velocities[b] + bodies.old_angular_velocities[b].cross(arm_b) -
      bodies.old_linear_velocities[a] - bodies.old_angular_velocities[a].cross(arm_a);
  const Material& own = bodies.materials[input.material_a];
  const Material material = input.material_a == input.material_b
                                ? own
                                : CombineMaterials(own, bodies.materials[input.material_b]);
  block.bias[lane] = GapBias(input, material.restitution, frame.n.dot(old_velocity), settings);
  block.friction[kSliding - kSliding][lane] = material.sliding_friction;
  block.friction[kSpinning - kSliding][lane] = material.spinning_friction_m;
  block.friction[kRolling - kSliding][lane] = material.rolling_friction_m;
}

void FillBlock(std::span<const ContactInput> contacts, const DynamicsView& bodies,
               const AssemblySettings& settings, const BodyRows& rows, const uint32_t* slots,
               uint32_t null_row, ContactBlock& block, WideBlock* wide) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const bool null = slots[lane] == kNoContact;
    FillLane(contacts[slots[null ? 0 : lane]], bodies, rows, settings, block, wide, lane);
    if (null) block.line_a[lane] = block.line_b[lane] = null_row * kLineReals;
  }
}

}  // namespace

void AssembleProblem(WorkerArena& workers, const DynamicsView& bodies,
                     std::span<const ContactInput> contacts, const WarmStart& warm,
                     const AssemblySettings& settings, SweepKind sweeps, AssemblyScratch& scratch,
                     ContactProblem& problem) {
  FindStrands(workers, bodies.positions, bodies.inverse_masses, contacts, scratch.strands);
  NumberRows(scratch.strands, contacts, bodies.inverse_masses, problem.rows);
  FillBodies(workers, bodies, problem);
  ResizeBuffer(scratch.kinds, contacts.size());
  ResizeBuffer(scratch.open, contacts.size());
  ParallelFor(workers, contacts.size(), kChunk, [&](size_t i) {
    scratch.kinds[i] = EncodeKind(KindOf(contacts[i], bodies, problem));
    scratch.open[i] = warm.entries.empty() || warm.entries[i] == kNotKept ? 1 : 0;
  });
  ColorContacts(workers, scratch.strands, contacts, bodies.inverse_masses, scratch.coloring);
  ArrangeBlocks(workers, scratch.strands, {scratch.coloring.color, scratch.kinds, scratch.open},
                scratch.extents, problem.layout);
  ResizeBuffer(problem.blocks, problem.layout.block_count());
  ResizeBuffer(problem.wide, problem.layout.wide_count);
  ParallelFor(workers, scratch.strands.count(), 1, [&](size_t strand) {
    const auto null_row = static_cast<uint32_t>(problem.rows.count() + strand);
    ForEachChunkOf(problem.layout, strand, [&](const BlockChunk& chunk, size_t) {
      for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
        FillBlock(contacts, bodies, settings, problem.rows,
                  &problem.layout.slot_contact[index * kLanes], null_row, problem.blocks[index],
                  FindWide(problem.wide.data(), chunk, index));
      }
      CompleteBlocks(problem.span(), chunk, problem.free_motion.data(),
                     sweeps == SweepKind::kProjected, problem.blocks.data(), problem.wide.data());
    });
  });
  MeasureDriving(workers, problem);
}

}  // namespace talus
