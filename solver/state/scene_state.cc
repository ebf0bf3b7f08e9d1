#include "solver/state/scene_state.h"

#include <span>

#include "solver/base/state_hash.h"

namespace talus {

static_assert(sizeof(Vec3) == 3 * sizeof(double), "hashed as raw bytes");
static_assert(sizeof(Quat) == 4 * sizeof(double), "hashed as raw bytes");
static_assert(sizeof(CachedImpulse) == 6 * sizeof(double), "hashed as raw bytes");

uint64_t HashSceneState(const SceneState& state) {
  StateHasher hasher;
  hasher.AddValue(state.step_index);
  hasher.AddValue(state.time_s());
  hasher.AddValue(state.bodies.next_id());
  hasher.AddArray(state.bodies.ids());
  hasher.AddArray(state.bodies.positions());
  hasher.AddArray(state.bodies.orientations());
  hasher.AddArray(state.bodies.linear_velocities());
  hasher.AddArray(state.bodies.angular_velocities());
  if (state.settings.sleep.has_value()) hasher.AddArray(state.bodies.still_steps());
  hasher.AddArray(state.contact_cache.keys());
  hasher.AddArray(state.contact_cache.impulses());
  if (!state.contact_cache.normals().empty()) hasher.AddArray(state.contact_cache.normals());
  hasher.AddValue(static_cast<uint64_t>(state.emitters.size()));
  for (const EmitterState& emitter : state.emitters) {
    hasher.AddText(emitter.def.name);
    hasher.AddValue(emitter.added_step);
    hasher.AddValue(emitter.emitted_count);
    hasher.AddValue(emitter.random_state);
  }
  for (const PairedMaterial& pair : state.materials.pairs()) {
    hasher.AddValue(pair.key());
    for (const auto number : kMaterialNumbers) hasher.AddValue(pair.material.*number);
    const Elasticity& elasticity = pair.material.elasticity;
    for (const auto number : kElasticNumbers) hasher.AddValue(elasticity.*number);
    if (!elasticity.viscous()) continue;
    for (const auto number : kViscousNumbers) hasher.AddValue(elasticity.*number);
  }
  for (const BodyLoad& load : state.loads) {
    hasher.AddValue(load.body);
    hasher.AddArray(std::span<const double>(load.force.data(), 3));
    hasher.AddArray(std::span<const double>(load.torque.data(), 3));
  }
  if (state.next_joint_id == 1) return hasher.Finish();
  hasher.AddValue(state.next_joint_id);
  for (const JointState& joint : state.joints) {
    hasher.AddValue(joint.id);
    hasher.AddArray(std::span<const double>(joint.impulse));
    if (!joint.actuated) continue;
    for (const JointAxis& axis : joint.def.axes) {
      for (const double target : {axis.position, axis.velocity, axis.max_force}) {
        hasher.AddValue(target);
      }
    }
  }
  return hasher.Finish();
}

}  // namespace talus
