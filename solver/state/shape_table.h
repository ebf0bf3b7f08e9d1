// The collision shapes of all bodies, one row a shape, in the order of bodies.
//
// Nearly all shapes of a heap are balls about the origin of their body: of these a radius is kept,
// and only of others a geometry and a pose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/base/math.h"
#include "solver/scene/shape.h"

namespace talus {

// One collision shape, posed on its body.
struct ShapeRow {
  Geometry geometry;      // a sphere, a box or a plane: containers were expanded
  Pose pose_body;         // body <- shape
  uint32_t material = 0;  // row of the scene's materials; 0 is the frictionless one without a name
  uint32_t body = 0;      // row of its body
  uint32_t index = 0;     // among the shapes of its body
};

class ShapeTable {
 public:
  struct Rows {
    size_t begin;
    size_t end;
  };

  size_t size() const { return entries_.size(); }
  Rows rows_of(size_t body) const { return {begins_[body], begins_[body + 1]}; }
  // Put together when asked for.
  ShapeRow operator[](size_t row) const;
  // Of a ball about the origin of its body, metres; 0: the shape is something else.
  double ball_radius(size_t row) const { return entries_[row].ball_radius; }
  uint32_t material(size_t row) const { return entries_[row].material; }
  uint32_t body(size_t row) const { return entries_[row].body; }
  uint32_t index(size_t row) const { return entries_[row].index; }

  // Room for so many bodies more, of one ball each.
  void Reserve(size_t more_bodies);
  // Those of the next body; `body` and `index` are filled in.
  void AddBody(std::span<const ShapeRow> shapes);
  // Removes those of the bodies whose entry is not 0; the others keep their order.
  void RemoveBodies(std::span<const uint8_t> leaving);
  void TruncateBodies(size_t body_count);

 private:
  struct Entry {
    double ball_radius = 0.0;
    uint32_t solid = 0;  // row of solids_, unless it is a ball
    uint32_t material = 0;
    uint32_t body = 0;
    uint32_t index = 0;
  };
  struct Solid {
    Geometry geometry;
    Pose pose_body;
  };

  std::vector<Entry> entries_;
  std::vector<Solid> solids_;           // in the order of entries
  std::vector<uint32_t> begins_ = {0};  // by body; one more than there are bodies
};

}  // namespace talus
