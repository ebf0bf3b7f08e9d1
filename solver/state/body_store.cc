#include "solver/state/body_store.h"

#include <algorithm>

#include "solver/base/check.h"
#include "solver/base/slack.h"

namespace talus {
namespace {

// Moves the entries that stay to the front, in order.
template <typename T>
void Compact(std::vector<T>& column, std::span<const uint8_t> leaving) {
  size_t kept = 0;
  for (size_t row = 0; row < leaving.size(); ++row) {
    if (leaving[row] != 0) continue;
    if (kept != row) column[kept] = std::move(column[row]);
    ++kept;
  }
  column.resize(kept);
}

}  // namespace

void BodyStore::Reserve(size_t more) {
  ReserveMore(ids_, more);
  ReserveMore(kinds_, more);
  ReserveMore(positions_, more);
  ReserveMore(orientations_, more);
  ReserveMore(linear_velocities_, more);
  ReserveMore(angular_velocities_, more);
  ReserveMore(masses_, more);
  ReserveMore(inverse_masses_, more);
  inertias_.Reserve(more);
  ReserveMore(still_steps_, more);
  shapes_.Reserve(more);
}

BodyId BodyStore::Add(const BodyRow& row) {
  const BodyId id{next_id_};
  AddWithId(id, row);
  return id;
}

void BodyStore::AddWithId(BodyId id, const BodyRow& row) {
  TALUS_CHECK(ToInteger(id) >= next_id_);
  const bool dynamic = row.kind == BodyKind::kDynamic;
  next_id_ = ToInteger(id) + 1;
  Reserve(1);  // a step may have exchanged some columns for fuller ones
  ids_.push_back(id);
  positions_.push_back(row.pose_world.position);
  orientations_.push_back(row.pose_world.orientation);
  linear_velocities_.push_back(row.linear_velocity);
  angular_velocities_.push_back(row.angular_velocity);
  masses_.push_back(dynamic ? row.mass : 0.0);
  inverse_masses_.push_back(dynamic ? 1.0 / row.mass : 0.0);
  inertias_.Add(dynamic ? row.inertia_body : Mat3::Zero());
  kinds_.push_back(row.kind);
  still_steps_.push_back(row.still_steps);
  if (!row.name.empty()) {
    ids_by_name_.emplace(row.name, id);
    names_by_id_.emplace(id, row.name);
  }
  shapes_.AddBody(row.shapes);
}

void BodyStore::ReserveIds(uint64_t next_id) { next_id_ = std::max(next_id_, next_id); }

void BodyStore::Remove(std::span<const uint8_t> leaving) {
  TALUS_CHECK(leaving.size() == size());
  for (size_t row = 0; row < leaving.size(); ++row) {
    if (leaving[row] != 0) ForgetName(row);
  }
  shapes_.RemoveBodies(leaving);
  inertias_.Remove(leaving);
  Compact(ids_, leaving);
  Compact(kinds_, leaving);
  Compact(positions_, leaving);
  Compact(orientations_, leaving);
  Compact(linear_velocities_, leaving);
  Compact(angular_velocities_, leaving);
  Compact(masses_, leaving);
  Compact(inverse_masses_, leaving);
  Compact(still_steps_, leaving);
}

void BodyStore::Truncate(size_t count, uint64_t next_id) {
  TALUS_CHECK(count <= size());
  for (size_t row = count; row < size(); ++row) {
    ForgetName(row);
  }
  shapes_.TruncateBodies(count);
  inertias_.Truncate(count);
  ids_.resize(count);
  kinds_.resize(count);
  positions_.resize(count);
  orientations_.resize(count);
  linear_velocities_.resize(count);
  angular_velocities_.resize(count);
  masses_.resize(count);
  inverse_masses_.resize(count);
  still_steps_.resize(count);
  next_id_ = next_id;
}

std::string_view BodyStore::name(size_t row) const {
  const auto found = names_by_id_.find(ids_[row]);
  return found != names_by_id_.end() ? std::string_view(found->second) : std::string_view();
}

void BodyStore::ForgetName(size_t row) {
  const auto found = names_by_id_.find(ids_[row]);
  if (found == names_by_id_.end()) return;
  ids_by_name_.erase(found->second);
  names_by_id_.erase(found);
}

std::optional<size_t> BodyStore::FindRow(BodyId id) const {
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (found == ids_.end() || *found != id) return std::nullopt;
  return static_cast<size_t>(found - ids_.begin());
}

std::optional<size_t> BodyStore::FindRow(std::string_view name) const {
  const auto found = ids_by_name_.find(name);
  if (found == ids_by_name_.end()) return std::nullopt;
  return FindRow(found->second);
}

void BodyStore::SwapMotion(std::vector<Vec3>& positions, std::vector<Quat>& orientations,
                           std::vector<Vec3>& linear_velocities,
                           std::vector<Vec3>& angular_velocities) {
  TALUS_CHECK(positions.size() == size() && orientations.size() == size());
  TALUS_CHECK(linear_velocities.size() == size() && angular_velocities.size() == size());
  positions_.swap(positions);
  orientations_.swap(orientations);
  linear_velocities_.swap(linear_velocities);
  angular_velocities_.swap(angular_velocities);
}

void BodyStore::SwapStillSteps(std::vector<uint32_t>& still_steps) {
  TALUS_CHECK(still_steps.size() == size());
  still_steps_.swap(still_steps);
}

}  // namespace talus
