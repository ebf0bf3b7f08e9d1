// A robot as its URDF file describes it, before anything is made of it.
//
// Source: the format's specification, https://wiki.ros.org/urdf/XML. SI units; a frame is told in
// that of the element it stands in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "server/model/unsupported_list.h"
#include "solver/base/math.h"

namespace talus::model {

// The place in the file, at the end of what an error says.
inline std::string AtLine(int64_t line) { return " (line " + std::to_string(line) + ")"; }

struct UrdfBox {
  Vec3 size_m = Vec3::Zero();  // whole edges
};
struct UrdfSphere {
  double radius_m = 0.0;
};
// About the z axis, its middle at the origin.
struct UrdfCylinder {
  double radius_m = 0.0;
  double length_m = 0.0;
};
struct UrdfMesh {
  std::string uri;
  Vec3 scale = Vec3::Ones();
};
// A geometry of no kind of the specification.
struct UrdfUnknownShape {
  std::string kind;
};

struct UrdfCollision {
  std::string element;
  int64_t line = 0;
  Pose origin;  // link <- shape
  std::variant<UrdfBox, UrdfSphere, UrdfCylinder, UrdfMesh, UrdfUnknownShape> shape;
};

struct UrdfInertial {
  Pose origin;  // link <- the axes of the inertia, at the centre of mass
  double mass_kg = 0.0;
  Mat3 inertia_kg_m2 = Mat3::Zero();
};

struct UrdfLink {
  std::string name;
  int64_t line = 0;
  std::optional<UrdfInertial> inertial;
  std::vector<UrdfCollision> collisions;
};

enum class UrdfJointKind : uint8_t {
  kFixed = 0,
  kRevolute = 1,
  kContinuous = 2,
  kPrismatic = 3,
  kPlanar = 4,
  kFloating = 5,
};

struct UrdfLimit {
  double lower = 0.0;  // rad, or m of a prismatic joint
  double upper = 0.0;
  double effort = 0.0;    // N m, or N
  double velocity = 0.0;  // rad/s, or m/s
};

struct UrdfJoint {
  std::string name;
  int64_t line = 0;
  UrdfJointKind kind = UrdfJointKind::kFixed;
  std::string parent;  // names of links
  std::string child;
  Pose origin;                // parent <- child at position 0
  Vec3 axis = Vec3::UnitX();  // unit, in the frame of the child
  std::optional<UrdfLimit> limit;
  double friction = 0.0;  // N m, or N
};

struct UrdfModel {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  UnsupportedList unsupported;
};

}  // namespace talus::model
