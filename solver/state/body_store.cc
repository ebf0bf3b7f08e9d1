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

Mat3 InvertInertia(const Mat3& inertia) {
  const Mat3 inverse = inertia.inverse();
  return 0.5 * (inverse + inverse.transpose());
}

}  // namespace

bool IsIsotropic(const Mat3& tensor) {
  return tensor(0, 0) == tensor(1, 1) && tensor(0, 0) == tensor(2, 2) && tensor(0, 1) == 0.0 &&
         tensor(0, 2) == 0.0 && tensor(1, 2) == 0.0;
}

void BodyStore::Reserve(size_t more) {
  ReserveMore(ids_, more);
  ReserveMore(kinds_, more);
  ReserveMore(positions_, more);
  ReserveMore(orientations_, more);
  ReserveMore(linear_velocities_, more);
  ReserveMore(angular_velocities_, more);
  ReserveMore(masses_, more);
  ReserveMore(inverse_masses_, more);
  ReserveMore(inertias_body_, more);
  ReserveMore(isotropic_, more);
  ReserveMore(still_steps_, more);
  ReserveMore(shape_begins_, more);
  ReserveMore(shapes_, more);
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
  ReserveMore(shapes_, row.shapes.size());
  ids_.push_back(id);
  positions_.push_back(row.pose_world.position);
  orientations_.push_back(row.pose_world.orientation);
  linear_velocities_.push_back(row.linear_velocity);
  angular_velocities_.push_back(row.angular_velocity);
  masses_.push_back(dynamic ? row.mass : 0.0);
  inverse_masses_.push_back(dynamic ? 1.0 / row.mass : 0.0);
  inertias_body_.push_back(dynamic ? row.inertia_body : Mat3::Zero());
  kinds_.push_back(row.kind);
  isotropic_.push_back(
      IsIsotropic(inertias_body_.back()) && IsIsotropic(inverse_inertia_body(size() - 1)) ? 1 : 0);
  still_steps_.push_back(row.still_steps);
  if (!row.name.empty()) {
    ids_by_name_.emplace(row.name, id);
    names_by_id_.emplace(id, row.name);
  }
  uint32_t index = 0;
  for (ShapeRow shape : row.shapes) {
    shape.body = static_cast<uint32_t>(ids_.size() - 1);
    shape.index = index++;
    shapes_.push_back(shape);
  }
  shape_begins_.push_back(static_cast<uint32_t>(shapes_.size()));
}

void BodyStore::ReserveIds(uint64_t next_id) { next_id_ = std::max(next_id_, next_id); }

void BodyStore::Remove(std::span<const uint8_t> leaving) {
  TALUS_CHECK(leaving.size() == size());
  size_t kept = 0;
  size_t kept_shapes = 0;
  for (size_t row = 0; row < leaving.size(); ++row) {
    if (leaving[row] != 0) {
      ForgetName(row);
      continue;
    }
    const size_t begin = shape_begins_[row];
    const size_t end = shape_begins_[row + 1];
    // shape_begins_[kept] is at or before the entries still to be read, so it can be rewritten on
    // the way.
    shape_begins_[kept] = static_cast<uint32_t>(kept_shapes);
    for (size_t shape = begin; shape < end; ++shape) {
      shapes_[kept_shapes] = shapes_[shape];
      shapes_[kept_shapes].body = static_cast<uint32_t>(kept);
      ++kept_shapes;
    }
    ++kept;
  }
  shape_begins_[kept] = static_cast<uint32_t>(kept_shapes);
  shape_begins_.resize(kept + 1);
  shapes_.resize(kept_shapes);
  Compact(ids_, leaving);
  Compact(kinds_, leaving);
  Compact(positions_, leaving);
  Compact(orientations_, leaving);
  Compact(linear_velocities_, leaving);
  Compact(angular_velocities_, leaving);
  Compact(masses_, leaving);
  Compact(inverse_masses_, leaving);
  Compact(inertias_body_, leaving);
  Compact(isotropic_, leaving);
  Compact(still_steps_, leaving);
}

void BodyStore::Truncate(size_t count, uint64_t next_id) {
  TALUS_CHECK(count <= size());
  for (size_t row = count; row < size(); ++row) {
    ForgetName(row);
  }
  shapes_.resize(shape_begins_[count]);
  shape_begins_.resize(count + 1);
  ids_.resize(count);
  kinds_.resize(count);
  positions_.resize(count);
  orientations_.resize(count);
  linear_velocities_.resize(count);
  angular_velocities_.resize(count);
  masses_.resize(count);
  inverse_masses_.resize(count);
  inertias_body_.resize(count);
  isotropic_.resize(count);
  still_steps_.resize(count);
  next_id_ = next_id;
}

Mat3 BodyStore::inverse_inertia_body(size_t row) const {
  return kinds_[row] == BodyKind::kDynamic ? InvertInertia(inertias_body_[row])
                                           : Mat3(Mat3::Zero());
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
