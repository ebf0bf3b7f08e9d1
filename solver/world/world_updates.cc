// Bodies set to other poses and velocities by hand. The rest of the world is in world.cc.
//
// Whatever the steps before have left of a body at another place is dealt with here, so that a step
// needs not know that a body was moved: impulses that its contacts carried go, since a new contact
// of the same key is another one; and sleepers whose rest depended on where it was, or is disturbed
// by where it is, wake. A dynamic body that wakes is met by its island in the next step as any that
// is awake (sleepers.h). One that is not dynamic belongs to no island, so what touches it is
// looked for at once, by the search of the step itself.
#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "solver/world/contact_set.h"
#include "solver/world/step_preparation.h"
#include "solver/world/world_parts.h"

namespace talus {
namespace {

struct FoundUpdate {
  size_t row = 0;
  size_t index = 0;  // among the updates
  BodyUpdate values;
};

// What really changed.
struct UpdatedRows {
  std::vector<BodyId> moved;    // have another pose; ascending
  std::vector<BodyId> changed;  // have another pose or other velocities; ascending
};

absl::Status RefuseBody(const FieldPath& path, const BodyUpdate& update, const char* allowed,
                        absl::StatusCode code) {
  const auto* id = std::get_if<BodyId>(&update.body);
  if (id != nullptr) {
    return FieldError(FieldPath(path, "body_id").ToString(), FormatValue(ToInteger(*id)), allowed,
                      code);
  }
  return FieldError(FieldPath(path, "body_name").ToString(),
                    FormatValue(std::get<std::string>(update.body)), allowed, code);
}

std::optional<size_t> FindRow(const BodyStore& bodies, const BodyUpdate& update) {
  return std::visit([&](const auto& body) { return bodies.FindRow(body); }, update.body);
}

// By row.
absl::StatusOr<std::vector<FoundUpdate>> FindUpdates(const BodyStore& bodies,
                                                     std::span<const BodyUpdate> updates) {
  std::vector<FoundUpdate> found;
  found.reserve(updates.size());
  for (size_t index = 0; index < updates.size(); ++index) {
    const FieldPath path("updates", index);
    const std::optional<size_t> row = FindRow(bodies, updates[index]);
    if (!row.has_value()) {
      return RefuseBody(path, updates[index], "must be a body of the scene",
                        absl::StatusCode::kNotFound);
    }
    found.push_back({*row, index, updates[index]});
    TALUS_RETURN_IF_ERROR(ValidateUpdate(path, bodies.kinds()[*row], found.back().values));
  }
  std::ranges::sort(found, {},
                    [](const FoundUpdate& one) { return std::pair(one.row, one.index); });
  const auto twice = std::ranges::adjacent_find(found, {}, &FoundUpdate::row);
  if (twice == found.end()) return found;
  const size_t second = std::next(twice)->index;
  return RefuseBody(FieldPath("updates", second), updates[second], "must not be updated twice",
                    absl::StatusCode::kInvalidArgument);
}

UpdatedRows ApplyUpdates(const std::vector<FoundUpdate>& updates, BodyStore& bodies) {
  UpdatedRows result;
  for (const FoundUpdate& update : updates) {
    const size_t row = update.row;
    const BodyUpdate& values = update.values;
    const Vec3 position = values.position_world_m.value_or(bodies.positions()[row]);
    const Quat orientation = values.orientation_world.value_or(bodies.orientations()[row]);
    const Vec3 linear = values.linear_velocity_world_m_s.value_or(bodies.linear_velocities()[row]);
    const Vec3 angular =
        values.angular_velocity_world_rad_s.value_or(bodies.angular_velocities()[row]);
    const bool moved = position != bodies.positions()[row] ||
                       orientation.coeffs() != bodies.orientations()[row].coeffs();
    const bool changed = moved || linear != bodies.linear_velocities()[row] ||
                         angular != bodies.angular_velocities()[row];
    if (!changed) continue;
    bodies.SetPose(row, position, orientation);
    bodies.SetVelocity(row, linear, angular);
    result.changed.push_back(bodies.ids()[row]);
    if (moved) result.moved.push_back(bodies.ids()[row]);
  }
  return result;
}

bool Holds(const std::vector<BodyId>& ids, BodyId id) {
  return std::ranges::binary_search(ids, id);
}

// Those that changed, those that a contact or a joint held to one of them: they count from 0 again,
// also where they were not asleep yet, or what has lost its support would fall asleep in the air.
void StirAround(const std::vector<BodyId>& changed, SceneState& state) {
  BodyStore& bodies = state.bodies;
  const auto stir = [&](BodyId id) {
    if (const std::optional<size_t> row = bodies.FindRow(id)) bodies.Stir(*row);
  };
  for (const BodyId id : changed) stir(id);
  for (const ContactKey& key : state.contact_cache.keys()) {
    if (Holds(changed, key.body_a)) stir(key.body_b);
    if (Holds(changed, key.body_b)) stir(key.body_a);
  }
  for (const JointState& joint : state.joints) {
    if (Holds(changed, joint.body_a)) stir(joint.body_b);
    if (Holds(changed, joint.body_b)) stir(joint.body_a);
  }
}

}  // namespace

void World::Impl::WakeTouched(std::span<const BodyId> ids) {
  BodyStore& bodies = state.bodies;
  std::vector<uint8_t> touching(bodies.size(), 0);  // by row: one of these, and not dynamic
  bool any = false;
  for (const BodyId id : ids) {
    const size_t row = bodies.FindRow(id).value();
    if (bodies.kinds()[row] == BodyKind::kDynamic) continue;
    touching[row] = 1;
    any = true;
  }
  if (!any || std::ranges::count(bodies.still_steps(), BodyStore::kAsleep) == 0) return;
  WorkerArena alone(1);
  StepReport report;
  const StepOptions options;
  StepContext context{state, alone, buffers, report, options};
  ContactSet next;
  alone.Execute([&] { FindNextContacts(context, next); });
  for (const ContactInput& contact : next.contacts) {
    if (touching[contact.body_a] != 0) bodies.Wake(contact.body_b);
    if (touching[contact.body_b] != 0) bodies.Wake(contact.body_a);
  }
}

absl::Status World::UpdateBodies(std::span<const BodyUpdate> updates) {
  if (absl::Status status = impl_->RefuseWhenFaulted(); !status.ok()) return status;
  SceneState& state = impl_->state;
  auto found = FindUpdates(state.bodies, updates);
  if (!found.ok()) return found.status();
  const UpdatedRows rows = ApplyUpdates(*found, state.bodies);
  if (rows.changed.empty()) return absl::OkStatus();
  impl_->NoteChange();
  impl_->buffers.standstill.Forget();
  if (state.settings.sleep.has_value()) StirAround(rows.changed, state);
  if (!rows.moved.empty()) {
    state.contact_cache.RemoveIf([&](const ContactKey& key) {
      return Holds(rows.moved, key.body_a) || Holds(rows.moved, key.body_b);
    });
  }
  impl_->WakeTouched(rows.moved);
  return absl::OkStatus();
}

}  // namespace talus
