// The birth of particles: what the emitters of a scene owe at the start of a step, put into the
// body store.
//
// Emitters take their turns in the order they were added, particles in the order they fall due. A
// particle tries up to 32 random places in the nozzle; when none is free it waits, and those behind
// it wait with it, so that particle k is always the k-th. Its radius depends on the seed and k
// alone, so waiting does not favour small ones. Everything random is part of the state.
#pragma once

#include <cstdint>

#include "solver/state/scene_state.h"
#include "solver/world/free_space.h"

namespace talus {

// An emitter that starts now in `state`; `material` is a row of its materials.
EmitterState StartEmitter(const SceneState& state, const EmitterDef& def, uint32_t material);

// Particles that an emitter owes for all times up to that of the state, the ones already born not
// counted.
int64_t CountDue(const SceneState& state, const EmitterState& emitter);

class Emission {
 public:
  // Adds what has fallen due and finds room; returns how many bodies that were.
  int64_t EmitParticles(SceneState& state);

 private:
  int64_t EmitFrom(EmitterState& emitter, int64_t due, SceneState& state);

  FreeSpace free_space_;
};

}  // namespace talus
