// A scene that steps: the façade of the solver library.
//
// Owns every store by value, so copying a World is an exact fork. It is not thread-safe: one caller
// at a time; the workers it is lent for a step change how long the step takes and nothing else.
// Nothing here logs, prints, or reads a clock for a decision. A failed call changes nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "solver/base/ids.h"
#include "solver/base/math.h"
#include "solver/parallel/worker_arena.h"
#include "solver/rays/ray.h"
#include "solver/scene/body_update.h"
#include "solver/scene/scene_def.h"
#include "solver/world/actuation.h"
#include "solver/world/contact_record.h"
#include "solver/world/joint_record.h"
#include "solver/world/last_step.h"
#include "solver/world/scene_reset.h"
#include "solver/world/step_options.h"
#include "solver/world/step_report.h"

namespace talus {

// Poses and velocities by row, borrowed until the next non-const call. All spans have one entry a
// body.
struct BodyStateView {
  std::span<const BodyId> ids;
  std::span<const BodyKind> kinds;
  std::span<const Vec3> positions;           // centre of mass, world, metres
  std::span<const Quat> orientations;        // world <- body
  std::span<const Vec3> linear_velocities;   // world, m/s
  std::span<const Vec3> angular_velocities;  // world, rad/s
};

// What AddModel gave ids to, each in the order of the call.
struct AddedModel {
  std::vector<BodyId> body_ids;
  std::vector<JointId> joint_ids;
};

class World {
 public:
  // INVALID_ARGUMENT names the field, the value and the allowed range: `bodies[3].mass_kg = -2 must
  // be > 0`. ALREADY_EXISTS: a body, material, emitter or joint name is taken.
  static absl::StatusOr<World> Create(const SceneDef& scene);
  // INVALID_ARGUMENT: the bytes are no snapshot of this version, or their seal does not match.
  static absl::StatusOr<World> Restore(std::string_view snapshot);

  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();
  World Fork() const;
  std::string SaveSnapshot() const;
  // What Contacts, last_report and kept_problem tell, and back into a world that was restored from
  // a snapshot of the same moment. INVALID_ARGUMENT: they cannot be of it.
  LastStep SaveLastStep() const;
  absl::Status RestoreLastStep(LastStep last);

  // Additions, removals and updates fail with FAILED_PRECONDITION on a faulted scene.
  //
  // All or none. `materials` are added first. The ids come in the order of `bodies`.
  // RESOURCE_EXHAUSTED beyond base/limits.h.
  absl::StatusOr<std::vector<BodyId>> AddBodies(std::span<const BodyDef> bodies,
                                                std::span<const NamedMaterial> materials = {});
  // AddBodies, then AddJoints, all of both or nothing: the joints may hold the new bodies.
  absl::StatusOr<AddedModel> AddModel(std::span<const BodyDef> bodies,
                                      std::span<const NamedMaterial> materials,
                                      std::span<const JointDef> joints);
  absl::Status AddEmitters(std::span<const EmitterDef> emitters,
                           std::span<const NamedMaterial> materials = {});
  // All or none; NOT_FOUND names the first that is missing. A body is removed by id or by name, and
  // with it the joints that hold it.
  absl::Status RemoveBodies(std::span<const BodyId> ids, std::span<const std::string> names = {});
  absl::Status RemoveEmitters(std::span<const std::string> names);

  // All or none: sets poses and velocities, from the next step on. NOT_FOUND names a body that is
  // missing; INVALID_ARGUMENT also one that is named twice. Rows, Contacts, Joints and last_report
  // stay as they are. What has moved takes no impulses of its contacts along. It wakes, with what
  // it touched, what it touches now and what joints hold to it; what is set to what it has does
  // not.
  absl::Status UpdateBodies(std::span<const BodyUpdate> updates);

  // All or none. The ids come in the order of `joints`. INVALID_ARGUMENT also where the scene's
  // solver is none that holds joints; RESOURCE_EXHAUSTED beyond base/limits.h.
  absl::StatusOr<std::vector<JointId>> AddJoints(std::span<const JointDef> joints);
  // All or none; NOT_FOUND names the first that is missing.
  absl::Status RemoveJoints(std::span<const JointId> ids, std::span<const std::string> names = {});

  // Finds what the actuators drive; as FindActuatorTargets (world/actuation.h).
  absl::StatusOr<ActuatorTargets> FindActuators(std::span<const ActuatorDef> actuators) const;
  // All or none: sets their values, which act from the next step on. Errors as of Actuate
  // (world/actuation.h).
  absl::Status Actuate(const ActuatorTargets& actuators, std::span<const double> values);
  // As if the last Actuate had not been, where nothing but steps that were not made came since;
  // also on a faulted scene.
  void TakeBackActuation();

  // Puts parts of the scene back to what they are in `origin`, a snapshot of this scene taken
  // before (world/scene_reset.h). INVALID_ARGUMENT: the bytes are no snapshot. FAILED_PRECONDITION:
  // the scene is faulted and `scope` leaves its state alone.
  absl::Status Reset(std::string_view origin, const ResetScope& scope);

  // One step. FAILED_PRECONDITION when the new state is not finite or out of bounds: the state
  // before the step is kept, and every further Step fails the same way. RESOURCE_EXHAUSTED when
  // there are more contacts than the law (solvers/pivoting.h), the solver (solvers/matrix_step.h)
  // or the options take: the state is kept as well, and no fault. CANCELLED when the options stop
  // it: likewise.
  absl::StatusOr<StepReport> Step(WorkerArena& workers, const StepOptions& options = {});
  // Makes the beginning of the next Step now, while nobody waits for it, and where nothing new came
  // before the last steps its result as well: that one takes less time and gives the same bits.
  // Nothing that can be asked for changes. What changes the scene before that step makes it for
  // nothing; new targets of joints its result only. `stop` is asked as that of a step is: then
  // nothing is made.
  void PrepareStep(WorkerArena& workers, std::function<bool()> stop = {});

  int64_t step_index() const;  // 0 before the first step
  double time_s() const;
  uint64_t state_hash() const;
  const std::string& fault() const;  // empty unless a step failed
  const StepSettings& settings() const;
  int64_t layout_version() const;  // grows when rows or joints change
  size_t body_count() const;
  size_t emitter_count() const;
  size_t joint_count() const;
  int64_t particles_pending() const;  // owed by all emitters

  BodyStateView bodies() const;
  std::string_view body_name(size_t row) const;  // empty when unnamed
  double sphere_radius_m(
      size_t row) const;  // of the first shape, 0 when that is no sphere or there is none
  size_t shape_count(size_t row) const;  // containers count as their boxes
  // The body as AddBodies would take it, as it is now (DescribeBody, world/scene_assembly.h).
  BodyDef DescribeBody(size_t row) const;
  // Of a material that a shape names.
  std::optional<Material> FindMaterial(std::string_view name) const;
  // The last step's contacts between bodies that are still there, sorted by (body a, shape a, body
  // b, shape b, feature); bodies that sleep keep what they carried. Empty before the first step,
  // after one that failed and after Restore, unless RestoreLastStep followed: a snapshot holds what
  // the next step needs.
  std::vector<ContactRecord> Contacts() const;
  // The contact problem (world/step_problem.h) of the last step that was asked to keep it; null:
  // none was, or the scene was restored since (but see RestoreLastStep).
  std::shared_ptr<const StepProblem> kept_problem() const;
  // All joints, by id: where they stand, and what they carried in the last step, also after
  // Restore.
  std::vector<JointRecord> Joints() const;
  JointId joint_id(size_t index) const;           // of the joint at this place among them
  const JointDef& joint_def(size_t index) const;  // likewise
  Energy ComputeEnergy() const;
  // What the rays of a valid query (rays/validate_rays.h) hit first, one hit a ray. NOT_FOUND names
  // a body to ignore that is not there; `stop`, where given, is asked now and then: CANCELLED.
  absl::StatusOr<std::vector<RayHit>> CastRays(const RayQuery& query,
                                               const std::function<bool()>& stop = {}) const;
  const StepReport& last_report() const;

 private:
  struct Impl;
  explicit World(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talus
