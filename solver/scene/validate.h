// The door a scene comes in by: every field of every description is checked here, and nowhere
// after. What passes is finite, in bounds, consistent, and normalised (quaternions and directions
// exactly unit), so that the step needs no checks of its own.
//
// Errors are FieldErrors: INVALID_ARGUMENT, or ALREADY_EXISTS for a name that is taken. Paths are
// those of the wire schema's SceneSpec: `bodies[3].mass_kg`, `settings.solver.tolerance`.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "solver/scene/body_update.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/mass_properties.h"
#include "solver/scene/scene_def.h"

namespace talus {

// Answers whether the scene already has a thing of this name.
using NameTest = std::function<bool(std::string_view)>;
// The kind of the body of this name, if the scene has one.
using FindKind = std::function<std::optional<BodyKind>(std::string_view)>;

// Checks and normalises a whole scene.
absl::Status ValidateScene(SceneDef& scene);

// The parts of it, for additions to a scene that stands. `*_exists` tells of the names the scene
// has already.
absl::Status ValidateMaterials(std::span<const NamedMaterial> materials,
                               const NameTest& material_exists);
// Pairs of materials that exist, each once.
absl::Status ValidateMaterialPairs(std::span<const MaterialPair> pairs,
                                   const NameTest& material_exists);
// Whether what gives way in these can be solved so: what remembers needs a warm start, and springs
// (normal_stiffness_n_per_m) and Hertz's law (youngs_modulus_pa) do not meet. `others`: the
// materials that the scene has already.
absl::Status ValidateElasticity(std::span<const NamedMaterial> materials,
                                std::span<const MaterialPair> pairs,
                                std::span<const Material> others, const SolverSettings& solver);
absl::Status ValidateBodies(std::span<BodyDef> bodies, const NameTest& body_exists,
                            const NameTest& material_exists);
// The values of an update at `path`, of a body of this kind: as of one that is added.
absl::Status ValidateUpdate(const FieldPath& path, BodyKind kind, BodyUpdate& update);
absl::Status ValidateEmitters(std::span<EmitterDef> emitters, const NameTest& emitter_exists,
                              const NameTest& material_exists);
absl::Status ValidateJoints(std::span<JointDef> joints, const NameTest& joint_exists,
                            const FindKind& find_kind);
absl::Status ValidateSettings(const StepSettings& settings);
absl::Status ValidateSolver(const SolverSettings& solver);
// Whether these settings can solve a scene with joints.
absl::Status ValidateJointSolver(const SolverSettings& solver);
// Whether they can solve one with elastic surfaces, which laws with flat sides do not know.
absl::Status ValidateElasticSolver(const SolverSettings& solver);
absl::Status ValidateDomain(const Domain& domain);

// Mass and inertia of a dynamic body that passed ValidateBodies.
MassProperties ResolveMass(const BodyDef& body);

}  // namespace talus
