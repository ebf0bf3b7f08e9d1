// A whole scene as a user describes it: the same description replays to the same bits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/scene/body_def.h"
#include "solver/scene/emitter_def.h"
#include "solver/scene/joint_def.h"
#include "solver/scene/material.h"
#include "solver/scene/step_settings.h"

namespace talus {

struct NamedMaterial {
  std::string name;  // unique, not empty
  Material material;
};

// What two materials are to each other, whatever they would combine to. Holds in either order.
struct MaterialPair {
  std::string material_a;  // names of materials of the scene, perhaps the same
  std::string material_b;
  Material material;
};

// Where dynamic bodies live; one whose centre leaves it is removed at the end of the step.
struct Domain {
  Vec3 min_world_m = Vec3::Zero();
  Vec3 max_world_m = Vec3::Zero();
};

struct SceneDef {
  std::vector<NamedMaterial> materials;
  std::vector<MaterialPair> material_pairs;
  std::vector<BodyDef> bodies;
  std::vector<EmitterDef> emitters;
  std::vector<JointDef> joints;
  StepSettings settings;
  std::optional<Domain> domain;
};

}  // namespace talus
