#include "solver/contact/contact_kinds.h"

#include <algorithm>

#include "solver/base/slack.h"
#include "solver/contact/block_layout.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kKindChunk = 512;
// A contact point this close to the normal through the centre of mass, relative to the arm, is on
// it: rounding far from the origin is smaller.
constexpr double kOnNormal = 1e-9;
// Row sum of the scaled block from which a second step pays.
constexpr double kStrongCoupling = 1.5;

// A body without a tensor of its own, or with one that is a multiple of the identity.
bool IsRound(const DynamicsView& bodies, size_t body) {
  const uint32_t tensor = bodies.tensor_rows[body];
  return tensor == kNoTensor || IsIsotropic(bodies.inverse_tensors_world[tensor]);
}

bool IsDynamic(const DynamicsView& bodies, size_t body) {
  return bodies.inverse_masses[body] > 0.0;
}

bool IsCentral(const DynamicsView& bodies, size_t body, const Vec3& arm, const Vec3& normal) {
  if (!IsDynamic(bodies, body) && bodies.free_angular_velocities[body].isZero(0.0)) return true;
  return arm.cross(normal).squaredNorm() <= kOnNormal * kOnNormal * arm.squaredNorm();
}

// The block of two round bodies touched below their centres: sliding along u couples with rolling
// about w and the other way round, nothing else does.
int32_t LocalSteps(const DynamicsView& bodies, const ContactInput& contact, double reach_a,
                   double reach_b) {
  const uint32_t a = contact.body_a;
  const uint32_t b = contact.body_b;
  if (!IsDynamic(bodies, a) || !IsDynamic(bodies, b)) return 4;
  const double inertia_a = RoundInverseInertia(bodies, a);
  const double inertia_b = RoundInverseInertia(bodies, b);
  const double lever_a = inertia_a * reach_a;
  const double lever_b = inertia_b * reach_b;
  const double sliding =
      bodies.inverse_masses[a] + bodies.inverse_masses[b] + lever_a * reach_a + lever_b * reach_b;
  const double rolling = inertia_a + inertia_b;
  // 1 + |coupling| / sqrt(sliding rolling) > kStrongCoupling
  const double coupling = lever_a + lever_b;
  constexpr double kShare = kStrongCoupling - 1.0;
  return coupling * coupling > kShare * kShare * sliding * rolling ? 2 : 1;
}

BlockKind KindOf(const ContactInput& contact, const DynamicsView& bodies, bool all_round) {
  const uint32_t a = contact.body_a;
  const uint32_t b = contact.body_b;
  const bool round = all_round || (IsRound(bodies, a) && IsRound(bodies, b));
  BlockKind kind{round ? BlockGeometry::kRound : BlockGeometry::kFull, IsDynamic(bodies, a),
                 IsDynamic(bodies, b), 1};
  if (!round) return kind;
  const Vec3 arm_a = contact.point - bodies.positions[a];
  const Vec3 arm_b = contact.point - bodies.positions[b];
  if (IsCentral(bodies, a, arm_a, contact.normal) && IsCentral(bodies, b, arm_b, contact.normal)) {
    kind.geometry = BlockGeometry::kCentral;
    kind.local_steps =
        LocalSteps(bodies, contact, arm_a.dot(contact.normal), arm_b.dot(contact.normal));
  }
  return kind;
}

}  // namespace

void FindKinds(WorkerArena& workers, const DynamicsView& bodies,
               std::span<const ContactInput> contacts, const WarmStart& warm, ContactKinds& kinds) {
  const bool all_round = AreAllRound(bodies);
  ResizeBuffer(kinds.codes, contacts.size());
  ResizeBuffer(kinds.open, contacts.size());
  ParallelFor(workers, contacts.size(), kKindChunk, [&](size_t i) {
    kinds.codes[i] = EncodeKind(KindOf(contacts[i], bodies, all_round));
    kinds.open[i] = warm.entries.empty() || warm.entries[i] == kNotKept ? 1 : 0;
  });
}

double RoundInverseInertia(const DynamicsView& bodies, size_t body) {
  const uint32_t tensor = bodies.tensor_rows[body];
  return tensor == kNoTensor ? bodies.inverse_inertias[body]
                             : bodies.inverse_tensors_world[tensor](0, 0);
}

bool AreAllRound(const DynamicsView& bodies) {
  return std::ranges::all_of(bodies.inverse_tensors_world, IsIsotropic);
}

}  // namespace talus
