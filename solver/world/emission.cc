#include "solver/world/emission.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/base/limits.h"
#include "solver/base/random.h"
#include "solver/contact/contact_frame.h"
#include "solver/scene/mass_properties.h"

namespace talus {
namespace {

constexpr int kTries = 32;

// A stream of its own for every particle, apart from the one the positions are drawn from.
double ParticleRadius(const EmitterDef& def, int64_t particle) {
  const uint64_t base = Random(def.seed ^ 0xD1B54A32D192ED03u).Next();
  Random random(base ^ Random(static_cast<uint64_t>(particle)).Next());
  return random.Uniform(def.radius_min_m, def.radius_max_m);
}

// Uniform in the disc swept along the axis.
Vec3 DrawPlace(const EmitterDef& def, Random& random) {
  const ContactFrame frame = MakeContactFrame(def.axis_world);
  const double radius = def.nozzle_radius_m * std::sqrt(random.Uniform());
  const double angle = 2.0 * std::numbers::pi * random.Uniform();
  const double height = def.nozzle_height_m * (random.Uniform() - 0.5);
  return def.center_world_m + height * frame.n + radius * std::cos(angle) * frame.u +
         radius * std::sin(angle) * frame.w;
}

void AddParticle(const EmitterState& emitter, const Vec3& place, double radius, BodyStore& bodies) {
  ShapeDef ball;
  ball.geometry = Sphere{radius};
  const MassProperties mass = ComputeMassProperties({&ball, 1}, emitter.def.density_kg_m3);
  ShapeRow shape;
  shape.geometry = ball.geometry;
  shape.material = emitter.material;
  BodyRow body;
  body.pose_world.position = place;
  body.linear_velocity = emitter.def.speed_m_s * emitter.def.axis_world;
  body.mass = mass.mass_kg;
  body.inertia_body = mass.inertia_body_kg_m2;
  body.shapes = {&shape, 1};
  bodies.Add(body);
}

}  // namespace

EmitterState StartEmitter(const SceneState& state, const EmitterDef& def, uint32_t material) {
  return {def, material, state.step_index, 0, Random(def.seed).Next()};
}

int64_t CountDue(const SceneState& state, const EmitterState& emitter) {
  const double elapsed =
      static_cast<double>(state.step_index - emitter.added_step) * state.settings.time_step_s -
      emitter.def.start_time_s;
  // A billionth of a particle early, so that round-off does not shift a birth that falls on a step
  // to the next.
  const double due = std::floor(elapsed * emitter.def.rate_per_s + 1e-9) + 1.0;
  const auto count = static_cast<double>(emitter.def.particle_count);
  return static_cast<int64_t>(std::clamp(due, 0.0, count)) - emitter.emitted_count;
}

int64_t Emission::EmitFrom(EmitterState& emitter, int64_t due, SceneState& state) {
  const double half_height = 0.5 * emitter.def.nozzle_height_m;
  const Vec3 reach = Vec3::Constant(std::hypot(emitter.def.nozzle_radius_m, half_height));
  const Aabb region{emitter.def.center_world_m - reach, emitter.def.center_world_m + reach};
  free_space_.Reset(state.bodies, region, 2.0 * emitter.def.radius_max_m);
  Random random(emitter.random_state);
  int64_t born = 0;
  for (; born < due && state.bodies.size() < kMaxBodies; ++born) {
    const double radius = ParticleRadius(emitter.def, emitter.emitted_count);
    Vec3 place = Vec3::Zero();
    bool found = false;
    for (int attempt = 0; attempt < kTries && !found; ++attempt) {
      place = DrawPlace(emitter.def, random);
      found = free_space_.IsFree(place, radius);
    }
    if (!found) break;
    AddParticle(emitter, place, radius, state.bodies);
    free_space_.AddSphere(place, radius);
    ++emitter.emitted_count;
  }
  emitter.random_state = random.state();
  return born;
}

int64_t Emission::EmitParticles(SceneState& state) {
  int64_t born = 0;
  for (EmitterState& emitter : state.emitters) {
    const int64_t due = CountDue(state, emitter);
    if (due > 0) born += EmitFrom(emitter, due, state);
  }
  if (born > 0) ++state.layout_version;
  return born;
}

}  // namespace talus
