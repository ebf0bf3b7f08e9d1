#include "solver/contact/assemble.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "solver/base/check.h"
#include "solver/base/slack.h"
#include "solver/contact/chunk_loop.h"
#include "solver/contact/contact_frame.h"
#include "solver/contact/residual.h"

namespace talus {
namespace {

constexpr size_t kContactChunk = 512;

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

// From SI to the units of the problem.
void ChangeUnits(WorkerArena& workers, const ProblemUnits& units, std::span<BodyMotion> motions) {
  ParallelFor(workers, motions.size(), kContactChunk, [&](size_t row) {
    BodyMotion& motion = motions[row];
    motion.Set(motion.Linear() / units.speed, motion.Angular() / units.turn());
    motion.inverse_mass /= units.inverse_mass;
    motion.inverse_inertia /= units.inverse_inertia();
  });
}

// And chooses between doubles and floats, and the units.
void FillMotions(WorkerArena& workers, const DynamicsView& bodies, const BlockUse& use,
                 ContactProblem& problem, std::vector<BodyMotion>& motions) {
  problem.free_linear_velocities = bodies.free_linear_velocities;
  problem.free_angular_velocities = bodies.free_angular_velocities;
  ResizeBuffer(motions, problem.motion_count());
  const std::span<BodyMotion> of_bodies = std::span(motions).first(problem.rows.count());
  ParallelFor(workers, of_bodies.size(), kContactChunk, [&](size_t row) {
    const uint32_t body = problem.rows.body[row];
    BodyMotion& motion = of_bodies[row];
    motion.Set(bodies.free_linear_velocities[body], bodies.free_angular_velocities[body]);
    motion.inverse_mass = bodies.inverse_masses[body];
    motion.inverse_inertia = motion.dynamic() ? RoundInverseInertia(bodies, body) : 0.0;
  });
  problem.units = {};
  problem.in_floats = use.in_floats && FitFloats(of_bodies);
  if (problem.in_floats) {
    problem.units = ChooseUnits(of_bodies);
    ChangeUnits(workers, problem.units, of_bodies);
  }
  // Null bodies have mass and inertia one, so that a null contact's block is as good as any.
  std::fill(motions.begin() + static_cast<std::ptrdiff_t>(of_bodies.size()), motions.end(),
            BodyMotion{{}, 1.0, {}, 1.0});
}

void FillInertia(WorkerArena& workers, const DynamicsView& bodies, ContactProblem& problem) {
  const bool all_round = AreAllRound(bodies);
  ResizeBuffer(problem.inertia, all_round ? 0 : problem.motion_count());
  if (all_round) return;
  const size_t count = problem.rows.count();
  const double unit = problem.units.inverse_inertia();
  ParallelFor(workers, count, kContactChunk, [&](size_t row) {
    const uint32_t body = problem.rows.body[row];
    problem.inertia[row] = bodies.inverse_masses[body] > 0.0
                               ? LineOf(FindInverseInertia(bodies, body) / unit)
                               : InertiaLine{};
  });
  std::fill(problem.inertia.begin() + static_cast<std::ptrdiff_t>(count), problem.inertia.end(),
            InertiaLine{1.0, 1.0, 1.0, 0.0, 0.0, 0.0, {}});
}

double GapBias(double gap, const AssemblySettings& settings) {
  const double closing = gap / settings.time_step_s;
  return gap >= 0.0 ? closing : std::max(closing, -settings.recovery_speed_m_s);
}

// `bias`, or less where the bodies come in fast enough to bounce.
double AddBounce(double bias, const ContactInput& contact, double restitution,
                 const DynamicsView& bodies, const AssemblySettings& settings) {
  const auto old_velocity = [&](uint32_t body) -> Vec3 {
    return bodies.old_linear_velocities[body] +
           bodies.old_angular_velocities[body].cross(contact.point - bodies.positions[body]);
  };
  const double approach =
      contact.normal.dot(old_velocity(contact.body_b) - old_velocity(contact.body_a));
  const bool impact = approach < -settings.restitution_threshold_m_s &&
                      contact.gap + settings.time_step_s * approach <= 0.0;
  return impact ? std::min(bias, restitution * approach) : bias;
}

// What the contacts of a block are made from.
struct BlockSource {
  std::span<const ContactInput> contacts;
  const DynamicsView& bodies;
  const BodyRows& rows;
  const AssemblySettings& settings;
  ProblemUnits units;
  std::span<const ContactCompliance> compliance;  // by contact; perhaps none
};

// What the contact brings itself; CompleteBlocks does the rest. `wide` is null in central blocks.
template <typename Stored>
void FillLane(const BlockSource& source, const ContactInput& input, ContactBlockOf<Stored>& block,
              WideBlockOf<Stored>* wide, size_t lane) {
  const auto& [contacts, bodies, rows, settings, units, compliance] = source;
  const double per_length = 1.0 / units.length;
  const uint32_t a = input.body_a;
  const uint32_t b = input.body_b;
  const ContactFrame frame = MakeContactFrame(input.normal);
  const Vec3 arm_a = input.point - bodies.positions[a];
  const Vec3 arm_b = input.point - bodies.positions[b];
  block.line_a[lane] = rows.row[a] * kLineReals;
  block.line_b[lane] = rows.row[b] * kLineReals;
  for (int k = 0; k < 3; ++k) {
    block.normal[k][lane] = Store<Stored>(frame.n[k]);
    block.tangent[k][lane] = Store<Stored>(frame.u[k]);
    if (wide == nullptr) continue;
    wide->arm_a[k][lane] = Store<Stored>(per_length * arm_a[k]);
    wide->arm_b[k][lane] = Store<Stored>(per_length * arm_b[k]);
  }
  block.reach_a[lane] = Store<Stored>(per_length * arm_a.dot(frame.n));
  block.reach_b[lane] = Store<Stored>(per_length * arm_b.dot(frame.n));
  const Material material = bodies.PairOf(input.material_a, input.material_b);
  double bias = GapBias(input.gap, settings);
  // Old velocities are only asked for where they matter: they are lines of memory of their own.
  if (material.restitution > 0.0) {
    bias = AddBounce(bias, input, material.restitution, bodies, settings);
  }
  block.bias[lane] = Store<Stored>(bias / units.speed);
  block.friction[kSliding - kSliding][lane] = Store<Stored>(material.sliding_friction);
  block.friction[kSpinning - kSliding][lane] =
      Store<Stored>(per_length * material.spinning_friction_m);
  block.friction[kRolling - kSliding][lane] =
      Store<Stored>(per_length * material.rolling_friction_m);
}

// Empty lanes hold what the first one does, so that what is computed there is as good as any.
template <typename Stored>
void FillEmptyLanes(size_t begin, uint32_t null_row, ContactBlockOf<Stored>& block,
                    WideBlockOf<Stored>* wide) {
  const auto fill = [begin](LanesOf<Stored>& lanes) {
    std::fill(lanes + begin, lanes + kLanes, lanes[0]);
  };
  std::fill(block.line_a + begin, block.line_a + kLanes, null_row * kLineReals);
  std::fill(block.line_b + begin, block.line_b + kLanes, null_row * kLineReals);
  for (int k = 0; k < 3; ++k) {
    fill(block.normal[k]);
    fill(block.tangent[k]);
    fill(block.friction[k]);
    if (wide == nullptr) continue;
    fill(wide->arm_a[k]);
    fill(wide->arm_b[k]);
  }
  fill(block.reach_a);
  fill(block.reach_b);
  fill(block.bias);
}

// The lanes of a block that has been filled without; its bias where springs push.
void FillCompliance(std::span<const ContactCompliance> compliance, const uint32_t* slots,
                    ContactBlock& block, ComplianceBlock& soft) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const size_t filled = slots[lane] == kNoContact ? 0 : lane;
    const ContactCompliance& contact = compliance[slots[filled]];
    if (contact.compliance[kNormal] > 0.0) block.bias[lane] = contact.bias[0];
    for (size_t part = 0; part < kPartCount; ++part) {
      soft.compliance[part][lane] = contact.compliance[part];
    }
    for (int row = 1; row < 6; ++row) soft.bias[row - 1][lane] = contact.bias[row];
  }
}

template <typename Stored>
void FillBlock(const BlockSource& source, const uint32_t* slots, uint32_t null_row,
               ContactBlockOf<Stored>& block, WideBlockOf<Stored>* wide) {
  size_t lane = 0;
  for (; lane < kLanes && slots[lane] != kNoContact; ++lane) {
    FillLane(source, source.contacts[slots[lane]], block, wide, lane);
  }
  if (lane < kLanes) FillEmptyLanes(lane, null_row, block, wide);
}

// `blocks` and `wide` are those of the problem that are held in Stored.
template <typename Stored>
void FillBlocks(WorkerArena& workers, const BlockSource& source, SweepKind sweeps,
                const ContactProblem& problem, const BodyMotion* motions,
                std::vector<ContactBlockOf<Stored>>& blocks, std::vector<WideBlockOf<Stored>>& wide,
                ComplianceBlock* compliance) {
  ResizeBuffer(blocks, problem.layout.block_count());
  ResizeBuffer(wide, problem.layout.wide_count);
  const BlockSpanOf<double, Stored> span{blocks.data(), wide.data(), problem.inertia.data(),
                                         compliance};
  ParallelFor(workers, problem.layout.strand_count(), 1, [&](size_t strand) {
    const auto null_row = static_cast<uint32_t>(problem.rows.count() + strand);
    ForEachChunkOf(problem.layout, strand, [&](const BlockChunk& chunk, size_t) {
      for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
        const uint32_t* const slots = &problem.layout.slot_contact[index * kLanes];
        FillBlock(source, slots, null_row, blocks[index], FindWide(wide.data(), chunk, index));
        if constexpr (std::is_same_v<Stored, double>) {
          if (compliance == nullptr) continue;
          FillCompliance(source.compliance, slots, blocks[index], compliance[index]);
        }
      }
      const bool projected = sweeps == SweepKind::kProjected;
      if constexpr (std::is_same_v<Stored, double>) {
        CompleteBlocks(span, chunk, motions, projected, blocks.data(), wide.data(), compliance);
      } else {
        CompleteBlocks(span, chunk, motions, projected, blocks.data(), wide.data());
      }
    });
  });
}

// Gives back the memory of blocks that a scene whose tolerance was changed will not ask for again.
template <typename Block>
void DropLarge(std::vector<Block>& blocks) {
  constexpr size_t kSmall = 1024;
  if (blocks.size() > kSmall) std::vector<Block>().swap(blocks);
}

}  // namespace

void AssembleProblem(WorkerArena& workers, const DynamicsView& bodies,
                     std::span<const ContactInput> contacts, const WarmStart& warm,
                     const AssemblySettings& settings, const BlockUse& use,
                     AssemblyScratch& scratch, ContactProblem& problem,
                     std::vector<BodyMotion>& motion,
                     std::span<const ContactCompliance> compliance) {
  TALUS_CHECK(compliance.empty() || (compliance.size() == contacts.size() && !use.in_floats));
  FindKinds(workers, bodies, contacts, warm, scratch.kinds);
  if (!scratch.layout_key.Matches(contacts, bodies.inverse_masses.size(), scratch.kinds)) {
    // In memory that rows and layout fill later.
    FindStrands(workers, bodies.positions, bodies.inverse_masses, contacts,
                {problem.layout.slot_contact, problem.rows.row, scratch.row_of_bin},
                scratch.strands);
    NumberRows(scratch.strands, contacts, bodies.inverse_masses, problem.rows);
    ColorContacts(workers, scratch.strands, contacts, bodies.inverse_masses, scratch.coloring);
    ArrangeBlocks(workers, scratch.strands,
                  {scratch.coloring.color, scratch.kinds.codes, scratch.kinds.open},
                  scratch.extents, problem.layout);
  }
  FillMotions(workers, bodies, use, problem, motion);
  FillInertia(workers, bodies, problem);
  ResizeBuffer(problem.compliance, compliance.empty() ? 0 : problem.layout.block_count());
  const BlockSource source{contacts, bodies, problem.rows, settings, problem.units, compliance};
  if (problem.in_floats) {
    DropLarge(problem.blocks);
    DropLarge(problem.wide);
    FillBlocks(workers, source, use.sweeps, problem, motion.data(), problem.float_blocks,
               problem.float_wide, nullptr);
  } else {
    DropLarge(problem.float_blocks);
    DropLarge(problem.float_wide);
    FillBlocks(workers, source, use.sweeps, problem, motion.data(), problem.blocks, problem.wide,
               compliance.empty() ? nullptr : problem.compliance.data());
  }
  MeasureDriving(workers, problem, motion);
}

}  // namespace talus
