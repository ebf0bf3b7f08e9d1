#include "solver/contact/compliance.h"

#include <algorithm>
#include <cmath>

#include "solver/base/slack.h"
#include "solver/contact/elastic_pair.h"
#include "solver/contact/friction_memory.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kComplianceChunk = 256;
// An indentation that counts as none, beside R: below it the stiffness is that of this one.
constexpr double kLeastIndentation = 1e-6;

// A pair with a material of its own is like a surface of it on a rigid one.
ElasticPair PairOf(const DynamicsView& bodies, const ContactInput& contact) {
  const uint32_t a = contact.material_a;
  const uint32_t b = contact.material_b;
  const Material* own = FindPaired(bodies.material_pairs, a, b);
  return own != nullptr ? Join(own->elasticity, {})
                        : Join(bodies.materials[a].elasticity, bodies.materials[b].elasticity);
}

// A spring over one step: the force it starts with, and how that grows.
struct Spring {
  double force = 0.0;      // N
  double stiffness = 0.0;  // N/m; 0: rigid
};

// n·(velocity of B − velocity of A) at the contact without contact, m/s.
double FreeApproach(const DynamicsView& bodies, const ContactInput& contact) {
  const auto velocity = [&](uint32_t body) -> Vec3 {
    return bodies.free_linear_velocities[body] +
           bodies.free_angular_velocities[body].cross(contact.point - bodies.positions[body]);
  };
  return contact.normal.dot(velocity(contact.body_b) - velocity(contact.body_a));
}

Spring HertzSpring(double reduced_modulus, double radius, double gap, double free_gap) {
  if (!std::isfinite(radius)) return {};
  const double coefficient = 4.0 / 3.0 * reduced_modulus * std::sqrt(radius);
  const double root = std::sqrt(std::max(-gap, 0.0));
  const double free_root =
      std::max(root, std::sqrt(std::max(-free_gap, kLeastIndentation * radius)));
  // (b³ − a³)/(b² − a²), in which nothing cancels.
  const double slope =
      (root * root + root * free_root + free_root * free_root) / (root + free_root);
  return {coefficient * root * root * root, coefficient * slope};
}

Spring NormalSpring(const ElasticPair& pair, const DynamicsView& bodies,
                    const ContactInput& contact, double radius, double time_step_s) {
  if (pair.reduced_modulus > 0.0) {
    const double free_gap = contact.gap + time_step_s * FreeApproach(bodies, contact);
    return HertzSpring(pair.reduced_modulus, radius, contact.gap, free_gap);
  }
  return {pair.normal_stiffness * std::max(-contact.gap, 0.0), pair.normal_stiffness};
}

// E of bristles; 0: rigid.
double BristleCompliance(double stiffness, double time_step_s) {
  return stiffness > 0.0 ? 1.0 / (stiffness * time_step_s * time_step_s) : 0.0;
}

// E of what creeps; 0: rigid.
double CreepCompliance(double viscosity, double time_step_s) {
  return viscosity > 0.0 ? 1.0 / (viscosity * time_step_s) : 0.0;
}

struct Surroundings {
  const DynamicsView& bodies;
  std::span<const double> radii;
  const WarmStart& memory;
  double time_step_s;
};

ContactCompliance ComplianceOf(const ElasticPair& pair, const Surroundings& around, size_t index,
                               const ContactInput& contact) {
  const auto& [bodies, radii, memory, h] = around;
  ContactCompliance result;
  const double radius = radii.empty() ? 0.0 : radii[index];
  const Spring spring = NormalSpring(pair, bodies, contact, radius, h);
  if (spring.stiffness > 0.0) {
    const double resistance = h * spring.stiffness + pair.normal_damping;
    result.compliance[kNormal] = 1.0 / (h * resistance);
    result.bias[0] = contact.gap >= 0.0 ? contact.gap / h : -spring.force / resistance;
  }
  const double sliding = InSeries(pair.tangent_ratio * spring.stiffness, pair.sliding_stiffness);
  result.compliance[kSliding] = BristleCompliance(sliding, h);
  result.compliance[kRolling] = BristleCompliance(pair.rolling_stiffness, h);
  result.compliance[kSpinning] = BristleCompliance(pair.spinning_stiffness, h);

  const bool remembered =
      !memory.normals.empty() && !memory.entries.empty() && memory.entries[index] != kNotKept;
  if (remembered) {
    const uint32_t row = memory.entries[index];
    const Wrench old = RecallImpulse(memory.impulses[row], memory.normals[row], contact, bodies, h);
    for (int k = 1; k < 6; ++k) {
      result.bias[static_cast<size_t>(k)] = -result.compliance[kPartOfRow[k]] * old[k];
    }
  }
  // Behind the bias, in which it has no share.
  result.compliance[kSliding] += CreepCompliance(pair.sliding_viscosity, h);
  result.compliance[kRolling] += CreepCompliance(pair.rolling_viscosity, h);
  result.compliance[kSpinning] += CreepCompliance(pair.spinning_viscosity, h);
  return result;
}

}  // namespace

void AssembleCompliance(WorkerArena& workers, const DynamicsView& bodies,
                        std::span<const ContactInput> contacts, std::span<const double> radii,
                        const WarmStart& memory, double time_step_s,
                        std::vector<ContactCompliance>& compliance) {
  ResizeBuffer(compliance, contacts.size());
  const Surroundings around{bodies, radii, memory, time_step_s};
  ParallelFor(workers, contacts.size(), kComplianceChunk, [&](size_t index) {
    const ContactInput& contact = contacts[index];
    const ElasticPair pair = PairOf(bodies, contact);
    compliance[index] =
        pair == ElasticPair{} ? ContactCompliance{} : ComplianceOf(pair, around, index, contact);
  });
}

}  // namespace talus
