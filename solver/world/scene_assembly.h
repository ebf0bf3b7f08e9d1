// From what a user described to rows of the scene's state, and of bodies back: materials looked up,
// containers taken apart, masses worked out. The descriptions have passed scene/validate.h.
#pragma once

#include <span>

#include "solver/scene/scene_def.h"
#include "solver/state/scene_state.h"

namespace talus {

void AddMaterials(std::span<const NamedMaterial> materials, SceneState& state);
// All of the scene's; the materials must be there.
void AddMaterialPairs(std::span<const MaterialPair> pairs, SceneState& state);
BodyId AddBody(const BodyDef& body, SceneState& state);
// What AddBody makes the body in this row of, as it is now: a dynamic one with its mass and inertia
// and no density, any other without all three; containers stay the boxes they became.
BodyDef DescribeBody(const SceneState& state, size_t row);
JointId AddJoint(const JointDef& joint, SceneState& state);
void AddEmitter(const EmitterDef& emitter, SceneState& state);

// The state a valid scene starts in.
SceneState AssembleScene(const SceneDef& scene);

}  // namespace talus
