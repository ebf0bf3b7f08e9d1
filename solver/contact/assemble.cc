#include "solver/contact/assemble.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/delassus.h"
#include "solver/parallel/ordered_reduce.h"

namespace talus {
namespace {

constexpr size_t kChunk = 512;

using Block = Eigen::Matrix<double, 6, 6>;

BodyMobility MobilityOf(const DynamicsView& bodies, size_t row) {
  BodyMobility m;
  m.inverse_mass = bodies.inverse_masses[row];
  if (m.dynamic()) {
    const Mat3& inverse = bodies.inverse_inertias_world[row];
    m.xx = inverse(0, 0);
    m.yy = inverse(1, 1);
    m.zz = inverse(2, 2);
    m.xy = 0.5 * (inverse(0, 1) + inverse(1, 0));
    m.xz = 0.5 * (inverse(0, 2) + inverse(2, 0));
    m.yz = 0.5 * (inverse(1, 2) + inverse(2, 1));
  }
  return m;
}

// W = Σ over both bodies of the response, in the contact frame, to a unit impulse along each axis.
Block LocalBlock(const ContactRow& c, const BodyMobility& a, const BodyMobility& b) {
  const std::array<const Vec3*, 3> axes = {&c.frame.n, &c.frame.u, &c.frame.w};
  Block block = Block::Zero();
  for (const auto& [body, arm] : {std::pair{&a, &c.arm_a}, std::pair{&b, &c.arm_b}}) {
    if (!body->dynamic()) continue;
    std::array<Vec3, 6> moment;    // of each unit impulse about the centre of mass
    std::array<Vec3, 6> response;  // I⁻¹ moment
    for (size_t k = 0; k < 3; ++k) {
      moment[k] = arm->cross(*axes[k]);
      moment[k + 3] = *axes[k];
    }
    for (size_t k = 0; k < 6; ++k) response[k] = body->InverseInertiaTimes(moment[k]);
    for (size_t i = 0; i < 6; ++i) {
      for (size_t j = i; j < 6; ++j) {
        block(static_cast<int>(i), static_cast<int>(j)) += moment[i].dot(response[j]);
      }
    }
    for (int k = 0; k < 3; ++k) block(k, k) += body->inverse_mass;
  }
  block.triangularView<Eigen::StrictlyLower>() = block.transpose();
  return block;
}

// λ_max of the symmetric 2x2 block that starts at row k.
double LargestEigenvalue2(const Block& block, int k) {
  const double mean = 0.5 * (block(k, k) + block(k + 1, k + 1));
  const double half = 0.5 * (block(k, k) - block(k + 1, k + 1));
  return mean + std::sqrt(half * half + block(k, k + 1) * block(k, k + 1));
}

// S W S: the block in the metric.
Block ScaledBlock(const ContactRow& c) {
  return c.step.asDiagonal() * c.block * c.step.asDiagonal();
}

// Contacts with the ground are few in a heap and one step leaves most there; between bodies a
// second step pays only where the rows couple strongly (local_steps.h, docs/PERFORMANCE.md). Where
// the normal row couples, as at the corners of a box, the first of several corners would take the
// load of all before the others are asked.
int32_t LocalSteps(const ContactRow& c, const BodyMobility& a, const BodyMobility& b) {
  const Block scaled = ScaledBlock(c);
  if (scaled.row(0).tail<5>().cwiseAbs().maxCoeff() > 0.01) return 1;
  if (!a.dynamic() || !b.dynamic()) return 4;
  return LargestRowSum(scaled) > 1.5 ? 2 : 1;
}

double GapBias(const ContactInput& contact, double old_normal_velocity,
               const AssemblySettings& settings) {
  const double h = settings.time_step_s;
  const double closing = contact.gap / h;
  double bias = contact.gap >= 0.0 ? closing : std::max(closing, -settings.recovery_speed_m_s);
  const double e = contact.material.restitution;
  const bool impact = old_normal_velocity < -settings.restitution_threshold_m_s &&
                      contact.gap + h * old_normal_velocity <= 0.0;
  if (e > 0.0 && impact) bias = std::min(bias, e * old_normal_velocity);
  return bias;
}

ContactRow AssembleContact(const ContactInput& input, const DynamicsView& bodies,
                           const ContactProblem& problem, const AssemblySettings& settings) {
  ContactRow c;
  c.body_a = input.body_a;
  c.body_b = input.body_b;
  c.frame = MakeContactFrame(input.normal);
  c.arm_a = input.point - bodies.positions[input.body_a];
  c.arm_b = input.point - bodies.positions[input.body_b];
  c.cone = {input.material.sliding_friction, input.material.rolling_friction_m,
            input.material.spinning_friction_m};
  const BodyVelocity old_a{bodies.old_linear_velocities[input.body_a],
                           bodies.old_angular_velocities[input.body_a]};
  const BodyVelocity old_b{bodies.old_linear_velocities[input.body_b],
                           bodies.old_angular_velocities[input.body_b]};
  c.bias = GapBias(input, LocalVelocity(c, old_a, old_b)[0], settings);
  c.block = LocalBlock(c, problem.mobility[c.body_a], problem.mobility[c.body_b]);
  const double s_n = 1.0 / std::sqrt(c.block(0, 0));
  const double s_t = 1.0 / std::sqrt(0.5 * (c.block(1, 1) + c.block(2, 2)));
  const double s_s = 1.0 / std::sqrt(c.block(3, 3));
  const double s_r = 1.0 / std::sqrt(0.5 * (c.block(4, 4) + c.block(5, 5)));
  c.step << s_n, s_t, s_t, s_s, s_r, s_r;
  c.weight = c.step.cwiseAbs2().cwiseInverse();
  c.normal_step = 1.0 / c.block(0, 0);
  c.spinning_step = 1.0 / c.block(3, 3);
  c.sliding_step = 1.0 / LargestEigenvalue2(c.block, 1);
  c.rolling_step = 1.0 / LargestEigenvalue2(c.block, 4);
  c.local_steps = LocalSteps(c, problem.mobility[c.body_a], problem.mobility[c.body_b]);
  return c;
}

}  // namespace

double LargestRowSum(const Block& matrix) { return matrix.cwiseAbs().rowwise().sum().maxCoeff(); }

double BoundLargestEigenvalue(const Block& matrix) {
  Block power = matrix;
  for (int squaring = 0; squaring < 5; ++squaring) power = (power * power).eval();
  return std::min(LargestRowSum(matrix), std::pow(power.norm(), 1.0 / 32.0));
}

void ComputeBlockBounds(WorkerArena& workers, ContactProblem& problem) {
  ParallelFor(workers, problem.contact_count(), kChunk, [&](size_t i) {
    ContactRow& c = problem.contacts[i];
    c.block_bound = BoundLargestEigenvalue(ScaledBlock(c));
  });
}

void AssembleProblem(WorkerArena& workers, const DynamicsView& bodies,
                     std::span<const ContactInput> contacts, const AssemblySettings& settings,
                     Coloring& coloring, ContactProblem& problem) {
  const size_t body_count = bodies.inverse_masses.size();
  problem.mobility.resize(body_count);
  problem.free_velocity.resize(body_count);
  ParallelFor(workers, body_count, kChunk, [&](size_t row) {
    problem.mobility[row] = MobilityOf(bodies, row);
    problem.free_velocity[row] = {bodies.free_linear_velocities[row],
                                  bodies.free_angular_velocities[row]};
  });
  ColorContacts(contacts, bodies.inverse_masses, coloring);
  problem.input_index = coloring.order;
  problem.color_begin = coloring.color_begin;
  problem.last_color_serial = coloring.last_color_serial;
  problem.contacts.resize(contacts.size());
  ParallelFor(workers, contacts.size(), kChunk, [&](size_t i) {
    problem.contacts[i] = AssembleContact(contacts[coloring.order[i]], bodies, problem, settings);
  });
  const double square = OrderedReduce(
      workers, contacts.size(), kChunk, 0.0,
      [&](size_t i) {
        const ContactRow& c = problem.contacts[i];
        const Wrench r =
            LocalVelocity(c, problem.free_velocity[c.body_a], problem.free_velocity[c.body_b]);
        return ProjectToCone(ScaledCone(c), -c.step.cwiseProduct(r)).squaredNorm();
      },
      [](double sum, double value) { return sum + value; });
  problem.free_scale = std::sqrt(square);
}

}  // namespace talus
