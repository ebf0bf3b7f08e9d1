#include "server/model/urdf_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "server/model/number_text.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"

namespace talus::model {
namespace {

using pugi::xml_node;

// Turns about the fixed x, then y, then z axis, as the specification has them.
Quat FromRollPitchYaw(const Vec3& angles) {
  return Eigen::AngleAxisd(angles.z(), Vec3::UnitZ()) *
         Eigen::AngleAxisd(angles.y(), Vec3::UnitY()) *
         Eigen::AngleAxisd(angles.x(), Vec3::UnitX());
}

// What comes from the file into reports and logs, as ASCII and cut.
std::string Escape(std::string_view text) {
  return absl::CEscape(absl::string_view(text.data(), std::min<size_t>(text.size(), 64)));
}

class Reader {
 public:
  explicit Reader(std::string_view text) {
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      line_ends_.push_back(static_cast<std::ptrdiff_t>(at));
    }
  }

  absl::StatusOr<UrdfModel> Read(xml_node robot) {
    model_.name = Escape(robot.attribute("name").value());
    for (const xml_node node : robot.children()) {
      if (node.type() != pugi::node_element) continue;
      if (Is(node, "link")) {
        TALUS_RETURN_IF_ERROR(ReadLink(node));
      } else if (Is(node, "joint")) {
        TALUS_RETURN_IF_ERROR(ReadJoint(node));
      } else if (!Is(node, "material")) {
        NoteUnsupported("robot", node, "nothing comes of it");
      }
    }
    return std::move(model_);
  }

  int64_t LineOf(xml_node node) const { return LineAt(node.offset_debug()); }
  int64_t LineAt(std::ptrdiff_t offset) const {
    return std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin() + 1;
  }

 private:
  static bool Is(xml_node node, const char* tag) { return std::strcmp(node.name(), tag) == 0; }
  static std::string Inside(const std::string& path, const char* name) { return path + "." + name; }

  absl::Status Refuse(xml_node node, const std::string& field, std::string_view value,
                      const std::string& allowed) const {
    return FieldError("urdf." + field, value, allowed + AtLine(LineOf(node)));
  }

  void NoteUnsupported(const std::string& path, xml_node node, std::string effect) {
    const std::string tag = Escape(node.name());
    model_.unsupported.Add({path + "." + tag, LineOf(node), std::move(effect)});
  }

  absl::Status ReadNumber(xml_node node, const std::string& path, const char* name,
                          double& value) const {
    const char* text = node.attribute(name).value();
    const std::optional<double> number = ReadFinite(text);
    if (!number.has_value()) {
      return Refuse(node, Inside(path, name), FormatValue(std::string_view(text)),
                    "must be a finite number");
    }
    value = *number;
    return absl::OkStatus();
  }
  // Keeps the value where the attribute is not there.
  absl::Status ReadOptionalNumber(xml_node node, const std::string& path, const char* name,
                                  double& value) const {
    return node.attribute(name) ? ReadNumber(node, path, name, value) : absl::OkStatus();
  }
  absl::Status ReadOptionalVector(xml_node node, const std::string& path, const char* name,
                                  Vec3& value) const {
    if (!node.attribute(name)) return absl::OkStatus();
    const std::string_view text = node.attribute(name).value();
    std::string_view rest = text;
    bool good = true;
    for (Eigen::Index axis = 0; good && axis < 3; ++axis) {
      const std::optional<double> number = ReadFinite(TakeWord(rest));
      good = number.has_value();
      value[axis] = number.value_or(0.0);
    }
    good = good && TakeWord(rest).empty();
    if (good) return absl::OkStatus();
    return Refuse(node, Inside(path, name), FormatValue(text), "must be three finite numbers");
  }
  absl::Status ReadName(xml_node node, const std::string& field, const char* attribute,
                        std::string& name) const {
    name = node.attribute(attribute).value();
    if (CheckName(FieldPath("name"), name).ok()) return absl::OkStatus();
    return Refuse(node, field, FormatValue(std::string_view(name)),
                  "must be 1 to 64 ASCII letters, digits, '-', '_', '.'");
  }

  absl::Status ReadOrigin(xml_node parent, const std::string& path, Pose& origin) const {
    const xml_node node = parent.child("origin");
    const std::string here = Inside(path, "origin");
    Vec3 angles = Vec3::Zero();
    TALUS_RETURN_IF_ERROR(ReadOptionalVector(node, here, "xyz", origin.position));
    TALUS_RETURN_IF_ERROR(ReadOptionalVector(node, here, "rpy", angles));
    origin.orientation = FromRollPitchYaw(angles);
    return absl::OkStatus();
  }

  absl::Status ReadInertial(xml_node node, const std::string& path, UrdfInertial& inertial) const {
    TALUS_RETURN_IF_ERROR(ReadOrigin(node, path, inertial.origin));
    const std::string mass_path = Inside(path, "mass");
    const xml_node mass = node.child("mass");
    TALUS_RETURN_IF_ERROR(ReadNumber(mass ? mass : node, mass_path, "value", inertial.mass_kg));
    if (!(inertial.mass_kg >= 0.0)) {
      return Refuse(mass, Inside(mass_path, "value"), FormatValue(inertial.mass_kg),
                    "must be >= 0");
    }
    const xml_node tensor = node.child("inertia");
    const std::string here = Inside(path, "inertia");
    const struct {
      const char* name;
      int row;
      int column;
    } terms[] = {{"ixx", 0, 0}, {"iyy", 1, 1}, {"izz", 2, 2},
                 {"ixy", 0, 1}, {"ixz", 0, 2}, {"iyz", 1, 2}};
    for (const auto& term : terms) {
      double value = 0.0;
      TALUS_RETURN_IF_ERROR(ReadOptionalNumber(tensor, here, term.name, value));
      inertial.inertia_kg_m2(term.row, term.column) = value;
      inertial.inertia_kg_m2(term.column, term.row) = value;
    }
    return absl::OkStatus();
  }

  absl::Status ReadShape(xml_node geometry, const std::string& path, UrdfCollision& out) const {
    const xml_node node =
        geometry.find_child([](xml_node child) { return child.type() == pugi::node_element; });
    if (!node)
      return Refuse(geometry, path, "nothing", "must hold a box, sphere, cylinder or mesh");
    if (Is(node, "box")) {
      UrdfBox& box = out.shape.emplace<UrdfBox>();
      return ReadOptionalVector(node, Inside(path, "box"), "size", box.size_m);
    }
    if (Is(node, "sphere")) {
      UrdfSphere& sphere = out.shape.emplace<UrdfSphere>();
      return ReadNumber(node, Inside(path, "sphere"), "radius", sphere.radius_m);
    }
    if (Is(node, "cylinder")) {
      UrdfCylinder& cylinder = out.shape.emplace<UrdfCylinder>();
      const std::string here = Inside(path, "cylinder");
      TALUS_RETURN_IF_ERROR(ReadNumber(node, here, "radius", cylinder.radius_m));
      return ReadNumber(node, here, "length", cylinder.length_m);
    }
    if (Is(node, "mesh")) {
      UrdfMesh& mesh = out.shape.emplace<UrdfMesh>();
      mesh.uri = node.attribute("filename").value();
      return ReadOptionalVector(node, Inside(path, "mesh"), "scale", mesh.scale);
    }
    out.shape = UrdfUnknownShape{Escape(node.name())};
    return absl::OkStatus();
  }

  absl::Status ReadCollision(xml_node node, const std::string& path, UrdfLink& link) const {
    UrdfCollision& collision = link.collisions.emplace_back();
    collision.element = path;
    collision.line = LineOf(node);
    TALUS_RETURN_IF_ERROR(ReadOrigin(node, path, collision.origin));
    return ReadShape(node.child("geometry"), Inside(path, "geometry"), collision);
  }

  absl::Status ReadLink(xml_node node) {
    if (model_.links.size() >= kMaxLinks) {
      return Refuse(node, "link", "one more", "must be at most 10000");
    }
    UrdfLink link;
    link.line = LineOf(node);
    TALUS_RETURN_IF_ERROR(ReadName(node, "link.name", "name", link.name));
    const std::string path = "link[" + link.name + "]";
    for (const xml_node child : node.children()) {
      if (child.type() != pugi::node_element || Is(child, "visual")) continue;
      if (Is(child, "inertial") && !link.inertial.has_value()) {
        TALUS_RETURN_IF_ERROR(
            ReadInertial(child, Inside(path, "inertial"), link.inertial.emplace()));
      } else if (Is(child, "collision")) {
        const std::string here =
            path + ".collision[" + std::to_string(link.collisions.size()) + "]";
        TALUS_RETURN_IF_ERROR(ReadCollision(child, here, link));
      } else {
        NoteUnsupported(path, child, "nothing comes of it");
      }
    }
    model_.links.push_back(std::move(link));
    return absl::OkStatus();
  }

  absl::Status ReadKind(xml_node node, const std::string& path, UrdfJointKind& kind) const {
    const std::pair<const char*, UrdfJointKind> kinds[] = {
        {"fixed", UrdfJointKind::kFixed},           {"revolute", UrdfJointKind::kRevolute},
        {"continuous", UrdfJointKind::kContinuous}, {"prismatic", UrdfJointKind::kPrismatic},
        {"planar", UrdfJointKind::kPlanar},         {"floating", UrdfJointKind::kFloating}};
    const std::string_view text = node.attribute("type").value();
    for (const auto& [name, known] : kinds) {
      if (text != name) continue;
      kind = known;
      return absl::OkStatus();
    }
    return Refuse(node, Inside(path, "type"), FormatValue(text),
                  "must be fixed, revolute, continuous, prismatic, planar or floating");
  }

  absl::Status ReadLimit(xml_node node, const std::string& path, UrdfJoint& joint) const {
    const bool bounded =
        joint.kind == UrdfJointKind::kRevolute || joint.kind == UrdfJointKind::kPrismatic;
    const xml_node limit = node.child("limit");
    const std::string here = Inside(path, "limit");
    if (!limit) {
      if (!bounded) return absl::OkStatus();
      return Refuse(node, here, "nothing", "must be there on a revolute or prismatic joint");
    }
    UrdfLimit& read = joint.limit.emplace();
    TALUS_RETURN_IF_ERROR(ReadOptionalNumber(limit, here, "lower", read.lower));
    TALUS_RETURN_IF_ERROR(ReadOptionalNumber(limit, here, "upper", read.upper));
    TALUS_RETURN_IF_ERROR(ReadNumber(limit, here, "effort", read.effort));
    TALUS_RETURN_IF_ERROR(ReadNumber(limit, here, "velocity", read.velocity));
    if (bounded && read.lower > read.upper) {
      return Refuse(limit, Inside(here, "upper"), FormatValue(read.upper),
                    "must be >= lower = " + FormatValue(read.lower));
    }
    if (read.effort >= 0.0) return absl::OkStatus();
    return Refuse(limit, Inside(here, "effort"), FormatValue(read.effort), "must be >= 0");
  }

  absl::Status ReadDynamics(xml_node node, const std::string& path, UrdfJoint& joint) {
    const std::string here = Inside(path, "dynamics");
    double damping = 0.0;
    TALUS_RETURN_IF_ERROR(ReadOptionalNumber(node, here, "damping", damping));
    TALUS_RETURN_IF_ERROR(ReadOptionalNumber(node, here, "friction", joint.friction));
    if (damping != 0.0) {
      model_.unsupported.Add({Inside(here, "damping"), LineOf(node), "the joint is not damped"});
    }
    if (joint.friction >= 0.0) return absl::OkStatus();
    return Refuse(node, Inside(here, "friction"), FormatValue(joint.friction), "must be >= 0");
  }

  absl::Status ReadAxis(xml_node node, const std::string& path, UrdfJoint& joint) const {
    TALUS_RETURN_IF_ERROR(ReadOptionalVector(node, Inside(path, "axis"), "xyz", joint.axis));
    const double length = joint.axis.stableNorm();
    if (!(length > 0.0)) {
      return Refuse(node, path + ".axis.xyz", FormatVector(joint.axis), "must not be zero");
    }
    joint.axis /= length;
    return absl::OkStatus();
  }

  absl::Status ReadJoint(xml_node node) {
    UrdfJoint joint;
    joint.line = LineOf(node);
    TALUS_RETURN_IF_ERROR(ReadName(node, "joint.name", "name", joint.name));
    const std::string path = "joint[" + joint.name + "]";
    TALUS_RETURN_IF_ERROR(ReadKind(node, path, joint.kind));
    TALUS_RETURN_IF_ERROR(ReadOrigin(node, path, joint.origin));
    const auto read_end = [&](const char* tag, std::string& link) {
      const xml_node end = node.child(tag);
      return ReadName(end ? end : node, Inside(path, tag) + ".link", "link", link);
    };
    TALUS_RETURN_IF_ERROR(read_end("parent", joint.parent));
    TALUS_RETURN_IF_ERROR(read_end("child", joint.child));
    TALUS_RETURN_IF_ERROR(ReadAxis(node.child("axis"), path, joint));
    TALUS_RETURN_IF_ERROR(ReadLimit(node, path, joint));
    TALUS_RETURN_IF_ERROR(ReadDynamics(node.child("dynamics"), path, joint));
    for (const xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const bool known = Is(child, "origin") || Is(child, "parent") || Is(child, "child") ||
                         Is(child, "axis") || Is(child, "limit") || Is(child, "dynamics");
      if (!known) {
        NoteUnsupported(path, child,
                        Is(child, "mimic") ? "the joint moves on its own" : "nothing comes of it");
      }
    }
    model_.joints.push_back(std::move(joint));
    return absl::OkStatus();
  }

  UrdfModel model_;
  std::vector<std::ptrdiff_t> line_ends_;
};

}  // namespace

absl::StatusOr<UrdfModel> ReadUrdf(std::string_view text) {
  if (text.size() > kMaxUrdfBytes) {
    return FieldError("urdf", FormatValue(uint64_t{text.size()}) + " bytes",
                      "must have at most 8388608");
  }
  Reader reader(text);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    return FieldError("urdf", parsed.description(),
                      "must be XML (line " + std::to_string(reader.LineAt(parsed.offset)) + ")");
  }
  const xml_node robot = document.document_element();
  if (std::strcmp(robot.name(), "robot") != 0) {
    return FieldError("urdf", FormatValue(std::string_view(robot.name())),
                      "must have the root element robot");
  }
  return reader.Read(robot);
}

}  // namespace talus::model
