#include "solver/state/shape_table.h"

#include "solver/base/slack.h"

namespace talus {
namespace {

// The radius of a ball about the origin, 0 of any other shape.
double FindBallRadius(const ShapeRow& shape) {
  const auto* sphere = std::get_if<Sphere>(&shape.geometry);
  const Pose& pose = shape.pose_body;
  const bool at_origin = pose.position.isZero(0.0) && pose.orientation.w() == 1.0 &&
                         pose.orientation.vec().isZero(0.0);
  return sphere != nullptr && at_origin ? sphere->radius_m : 0.0;
}

}  // namespace

ShapeRow ShapeTable::operator[](size_t row) const {
  const Entry& entry = entries_[row];
  ShapeRow shape;
  if (entry.ball_radius > 0.0) {
    shape.geometry = Sphere{entry.ball_radius};
  } else {
    shape.geometry = solids_[entry.solid].geometry;
    shape.pose_body = solids_[entry.solid].pose_body;
  }
  shape.material = entry.material;
  shape.body = entry.body;
  shape.index = entry.index;
  return shape;
}

void ShapeTable::Reserve(size_t more_bodies) {
  ReserveMore(entries_, more_bodies);
  ReserveMore(begins_, more_bodies);
}

void ShapeTable::AddBody(std::span<const ShapeRow> shapes) {
  const auto body = static_cast<uint32_t>(begins_.size() - 1);
  ReserveMore(entries_, shapes.size());
  ReserveMore(begins_, 1);
  uint32_t index = 0;
  for (const ShapeRow& shape : shapes) {
    const double ball_radius = FindBallRadius(shape);
    entries_.push_back(
        {ball_radius, static_cast<uint32_t>(solids_.size()), shape.material, body, index++});
    if (ball_radius > 0.0) continue;
    ReserveMore(solids_, 1);
    solids_.push_back({shape.geometry, shape.pose_body});
  }
  begins_.push_back(static_cast<uint32_t>(entries_.size()));
}

void ShapeTable::RemoveBodies(std::span<const uint8_t> leaving) {
  size_t kept = 0;
  size_t kept_bodies = 0;
  size_t kept_solids = 0;
  for (size_t body = 0; body < leaving.size(); ++body) {
    if (leaving[body] != 0) continue;
    const Rows rows = rows_of(body);
    // At or before the entries still to be read.
    begins_[kept_bodies] = static_cast<uint32_t>(kept);
    for (size_t row = rows.begin; row < rows.end; ++row) {
      Entry entry = entries_[row];
      entry.body = static_cast<uint32_t>(kept_bodies);
      if (!(entry.ball_radius > 0.0)) {
        solids_[kept_solids] = solids_[entry.solid];
        entry.solid = static_cast<uint32_t>(kept_solids++);
      }
      entries_[kept++] = entry;
    }
    ++kept_bodies;
  }
  begins_[kept_bodies] = static_cast<uint32_t>(kept);
  begins_.resize(kept_bodies + 1);
  entries_.resize(kept);
  solids_.resize(kept_solids);
}

void ShapeTable::TruncateBodies(size_t body_count) {
  const size_t count = begins_[body_count];
  size_t solid_count = solids_.size();
  for (size_t row = count; row < entries_.size(); ++row) {
    if (!(entries_[row].ball_radius > 0.0)) --solid_count;
  }
  solids_.resize(solid_count);
  entries_.resize(count);
  begins_.resize(body_count + 1);
}

}  // namespace talus
