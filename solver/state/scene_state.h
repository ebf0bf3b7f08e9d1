// Everything that decides how a scene goes on: two equal SceneStates step to equal bits. It is what
// a fork copies, a snapshot saves and the state hash sums up; whatever a step can rebuild is
// scratch and lives elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/scene/scene_def.h"
#include "solver/state/body_store.h"
#include "solver/state/contact_cache.h"
#include "solver/state/material_table.h"

namespace talus {

// How far an emitter has come.
struct EmitterState {
  EmitterDef def;
  uint32_t material = 0;      // row of SceneState::materials
  int64_t added_step = 0;     // step index when it was added; < 0: time was put back since
  int64_t emitted_count = 0;  // particles born so far
  uint64_t random_state = 0;  // of the positions' generator
};

inline constexpr BodyId kWorld{0};  // no body has this id

// A joint with what it carried in the last step.
struct JointState {
  JointId id{};
  BodyId body_a = kWorld;
  BodyId body_b = kWorld;  // never the world
  JointDef def;
  std::array<double, 6> impulse = {};  // on body B, along the joint's axes, N s and N m s
  bool actuated = false;               // a target in `def` was set after the joint came
};

// What acts on a body from outside until it is set again (scene/actuator_def.h). Never zero.
struct BodyLoad {
  BodyId body{};
  Vec3 force = Vec3::Zero();   // world, N
  Vec3 torque = Vec3::Zero();  // world, about the centre of mass, N m
};

struct SceneState {
  StepSettings settings;
  std::optional<Domain> domain;
  MaterialTable materials;
  BodyStore bodies;
  std::vector<EmitterState> emitters;
  std::vector<JointState> joints;  // by id
  uint64_t next_joint_id = 1;      // ids are never reused
  std::vector<BodyLoad> loads;     // by body; of dynamic bodies that are there
  ContactCache contact_cache;
  int64_t step_index = 0;
  int64_t layout_version = 1;
  std::string fault;  // empty unless a step failed

  double time_s() const { return static_cast<double>(step_index) * settings.time_step_s; }
};

// XXH3 over step index, time, ids, poses, velocities, what of it sleeps (where anything may),
// contact cache, emitters, pairs of materials and loads (where there are any) and joints (where
// there ever were any), with their targets (where these were ever set), in this order. Needs no
// normalisation: equal states have equal bits.
uint64_t HashSceneState(const SceneState& state);

}  // namespace talus
