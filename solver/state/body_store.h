// The bodies of a scene as a structure of arrays, one row a body, and their collision shapes, one
// row a shape.
//
// Rows are in the order of ids, ids grow and are never reused; removal closes the gaps and keeps
// the order. Everything a step touches is a plain column; names, which it never touches, stand
// apart with an ordered index. Containers have been expanded and masses worked out before a body
// gets here: the store checks nothing but its own promises.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/base/ids.h"
#include "solver/base/math.h"
#include "solver/scene/body_def.h"
#include "solver/state/inertia_table.h"
#include "solver/state/shape_table.h"

namespace talus {

// What a body is when it comes in.
struct BodyRow {
  std::string_view name;
  BodyKind kind = BodyKind::kDynamic;
  Pose pose_world;
  Vec3 linear_velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
  double mass = 0.0;                 // kg; dynamic bodies only
  Mat3 inertia_body = Mat3::Zero();  // kg m^2; dynamic bodies only
  uint32_t still_steps = 0;          // as in BodyStore
  std::span<const ShapeRow> shapes;  // `body` and `index` are filled in by the store
};

class BodyStore {
 public:
  size_t size() const { return ids_.size(); }
  uint64_t next_id() const { return next_id_; }

  // Room for so many bodies more, of one shape each; without it room grows as bodies come.
  void Reserve(size_t more);
  BodyId Add(const BodyRow& row);
  // With an id of the caller's, at least next_id(): how a snapshot comes back.
  void AddWithId(BodyId id, const BodyRow& row);
  // No body gets an id below this any more.
  void ReserveIds(uint64_t next_id);
  // Removes the rows whose entry is not 0. `leaving` has one entry a row. The others keep their
  // order.
  void Remove(std::span<const uint8_t> leaving);
  // Takes back the rows from `count` on, and their ids, as if they had never been added.
  void Truncate(size_t count, uint64_t next_id);

  std::optional<size_t> FindRow(BodyId id) const;
  std::optional<size_t> FindRow(std::string_view name) const;
  // Empty for the most.
  std::string_view name(size_t row) const;

  std::span<const BodyId> ids() const { return ids_; }
  std::span<const BodyKind> kinds() const { return kinds_; }
  std::span<const Vec3> positions() const { return positions_; }
  std::span<const Quat> orientations() const { return orientations_; }
  std::span<const Vec3> linear_velocities() const { return linear_velocities_; }
  std::span<const Vec3> angular_velocities() const { return angular_velocities_; }
  std::span<const double> masses() const { return masses_; }
  std::span<const double> inverse_masses() const { return inverse_masses_; }
  const InertiaTable& inertias() const { return inertias_; }

  // After how many steps in a row a body was still, as far as its falling asleep is concerned;
  // kAsleep: it sleeps. 0 for all that is not dynamic, and for all where nothing sleeps.
  static constexpr uint32_t kAsleep = std::numeric_limits<uint32_t>::max();
  std::span<const uint32_t> still_steps() const { return still_steps_; }
  bool asleep(size_t row) const { return still_steps_[row] == kAsleep; }
  // A body that sleeps counts from 0 again.
  void Wake(size_t row) {
    if (asleep(row)) still_steps_[row] = 0;
  }
  // One that has been still by now does too: what it was still on may have gone.
  void Stir(size_t row) { still_steps_[row] = 0; }

  const ShapeTable& shapes() const { return shapes_; }

  void SetPose(size_t row, const Vec3& position, const Quat& orientation) {
    positions_[row] = position;
    orientations_[row] = orientation;
  }
  // What it moves with from now on.
  void SetVelocity(size_t row, const Vec3& linear, const Vec3& angular) {
    linear_velocities_[row] = linear;
    angular_velocities_[row] = angular;
  }

  // Puts the body where and as it is in row `source_row` of another store: pose, velocities, sleep.
  void SetMotion(size_t row, const BodyStore& source, size_t source_row) {
    positions_[row] = source.positions_[source_row];
    orientations_[row] = source.orientations_[source_row];
    linear_velocities_[row] = source.linear_velocities_[source_row];
    angular_velocities_[row] = source.angular_velocities_[source_row];
    still_steps_[row] = source.still_steps_[source_row];
  }

  // Exchanges the motion columns with buffers of the same length: how a step commits its result.
  void SwapMotion(std::vector<Vec3>& positions, std::vector<Quat>& orientations,
                  std::vector<Vec3>& linear_velocities, std::vector<Vec3>& angular_velocities);
  void SwapStillSteps(std::vector<uint32_t>& still_steps);

 private:
  void ForgetName(size_t row);

  uint64_t next_id_ = 1;
  std::vector<BodyId> ids_;
  std::vector<BodyKind> kinds_;
  std::vector<Vec3> positions_;
  std::vector<Quat> orientations_;
  std::vector<Vec3> linear_velocities_;
  std::vector<Vec3> angular_velocities_;
  std::vector<double> masses_;          // 0 unless dynamic
  std::vector<double> inverse_masses_;  // 0 unless dynamic
  InertiaTable inertias_;
  std::vector<uint32_t> still_steps_;
  ShapeTable shapes_;
  std::map<std::string, BodyId, std::less<>> ids_by_name_;
  std::map<BodyId, std::string> names_by_id_;
};

}  // namespace talus
