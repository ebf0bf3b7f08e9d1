#include "server/model/model_import.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "server/model/collision_shapes.h"
#include "server/model/joint_axes.h"
#include "server/model/link_tree.h"
#include "server/model/urdf_reader.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/validate.h"

namespace talus::model {
namespace {

constexpr size_t kNoBody = static_cast<size_t>(-1);

// Mass, first moment and inertia about a point, as they add up.
struct Matter {
  double mass = 0.0;
  Vec3 moment = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();

  void Add(const UrdfInertial& part, const Pose& frame) {
    const Pose pose = frame * part.origin;
    const Mat3 turn = pose.orientation.toRotationMatrix();
    mass += part.mass_kg;
    moment += part.mass_kg * pose.position;
    inertia += turn * part.inertia_kg_m2 * turn.transpose() + OfPoint(part.mass_kg, pose.position);
  }
  Vec3 center() const { return moment / mass; }
  Mat3 inertia_about_center() const {
    const Mat3 about = inertia - OfPoint(mass, center());
    return 0.5 * (about + about.transpose());
  }
  static Mat3 OfPoint(double mass, const Vec3& at) {
    return mass * (at.squaredNorm() * Mat3::Identity() - at * at.transpose());
  }
};

// Links that are rigidly connected.
struct Group {
  size_t root = 0;            // the topmost link
  std::vector<size_t> links;  // the root first
  size_t body = kNoBody;      // in the result; kNoBody: the world
  Pose body_from_root;        // of the world: world <- root link
};

class Importer {
 public:
  Importer(const UrdfModel& model, const LinkTree& tree, std::span<const ModelFile> files,
           const ModelOptions& options)
      : model_(model),
        tree_(tree),
        options_(options),
        shapes_(files, options, result_.report.unsupported) {}

  absl::StatusOr<ImportedModel> Import() {
    result_.report.robot = model_.name;
    result_.report.unsupported = model_.unsupported;
    TALUS_RETURN_IF_ERROR(FindPositions());
    PlaceLinks();
    for (size_t group = 0; group < groups_.size(); ++group) {
      TALUS_RETURN_IF_ERROR(MakeBody(groups_[group], IsFixed(group)));
    }
    for (const size_t link : tree_.order) TellLink(link);
    for (const size_t link : tree_.order) MakeJoints(link);
    TALUS_RETURN_IF_ERROR(Check());
    TALUS_RETURN_IF_ERROR(CheckStrict());
    result_.report.stand_in_count = shapes_.stand_in_count();
    return std::move(result_);
  }

 private:
  std::string NameInScene(const std::string& name) const {
    return options_.name.empty() ? name : options_.name + "." + name;
  }
  const UrdfJoint& JointAbove(size_t link) const { return model_.joints[tree_.parent_joint[link]]; }

  // Whether the root is held, and with it the first group.
  bool IsFixed(size_t group) const {
    if (group != 0) return false;
    if (options_.base != ModelBase::kByName) return options_.base == ModelBase::kFixed;
    return model_.links[tree_.order[0]].name == "world";
  }

  absl::Status FindPositions() {
    positions_.assign(model_.joints.size(), 0.0);
    std::map<std::string_view, size_t> joints;
    std::set<size_t> placed;
    for (size_t joint = 0; joint < model_.joints.size(); ++joint) {
      joints.emplace(model_.joints[joint].name, joint);
    }
    for (size_t index = 0; index < options_.joint_positions.size(); ++index) {
      const JointPosition& given = options_.joint_positions[index];
      const std::string field = "options.joint_positions[" + std::to_string(index) + "]";
      const auto found = joints.find(given.joint);
      if (found == joints.end() || FindMovingAxis(model_.joints[found->second].kind) < 0) {
        return FieldError(field + ".joint", FormatValue(std::string_view(given.joint)),
                          "must name a revolute, continuous or prismatic joint of the model");
      }
      const UrdfJoint& joint = model_.joints[found->second];
      const bool bounded = joint.kind != UrdfJointKind::kContinuous && joint.limit.has_value();
      const double low = bounded ? joint.limit->lower : -kMaxSizeM;
      const double high = bounded ? joint.limit->upper : kMaxSizeM;
      if (!(given.position >= low && given.position <= high)) {
        return FieldError(field + ".position", FormatValue(given.position),
                          "must be in [" + FormatValue(low) + ", " + FormatValue(high) + "]");
      }
      if (!placed.insert(found->second).second) {
        return FieldError(field + ".joint", FormatValue(std::string_view(given.joint)),
                          "must be given once");
      }
      positions_[found->second] = given.position;
    }
    return absl::OkStatus();
  }

  // Where each link is in the world, and in its group.
  void PlaceLinks() {
    const size_t count = model_.links.size();
    world_.resize(count);
    in_group_.resize(count);
    group_of_.resize(count);
    for (const size_t link : tree_.order) {
      const size_t joint = tree_.parent_joint[link];
      const bool fixed = joint != kNoJoint && model_.joints[joint].kind == UrdfJointKind::kFixed;
      if (fixed) {
        const size_t parent = tree_.parent_link[link];
        group_of_[link] = group_of_[parent];
        in_group_[link] = in_group_[parent] * model_.joints[joint].origin;
        in_group_[link].orientation.normalize();
      } else {
        group_of_[link] = groups_.size();
        in_group_[link] = Pose{};
        groups_.push_back({.root = link, .links = {}, .body_from_root = {}});
      }
      world_[link] = joint == kNoJoint ? options_.pose_world : PlaceChild(link, joint);
      groups_[group_of_[link]].links.push_back(link);
    }
  }
  Pose PlaceChild(size_t link, size_t joint) const {
    const UrdfJoint& it = model_.joints[joint];
    Pose pose = world_[tree_.parent_link[link]] * it.origin * MoveTo(it, positions_[joint]);
    pose.orientation.normalize();
    return pose;
  }

  absl::Status MakeBody(Group& group, bool fixed) {
    Matter matter;
    for (const size_t link : group.links) {
      const UrdfLink& it = model_.links[link];
      if (it.inertial.has_value()) matter.Add(*it.inertial, in_group_[link]);
    }
    const UrdfLink& root = model_.links[group.root];
    if (!fixed && !(matter.mass > 0.0)) {
      return FieldError("urdf.link[" + root.name + "].inertial.mass", FormatValue(matter.mass),
                        "must be > 0, with that of the links fixed to it, on a link that moves" +
                            AtLine(root.line));
    }
    group.body_from_root.position = fixed ? Vec3::Zero() : Vec3(-matter.center());
    BodyDef body;
    body.name = NameInScene(root.name);
    body.kind = fixed ? BodyKind::kStatic : BodyKind::kDynamic;
    for (const size_t link : group.links) {
      TALUS_RETURN_IF_ERROR(
          shapes_.Add(model_.links[link], group.body_from_root * in_group_[link], body.shapes));
    }
    if (fixed && body.shapes.empty()) {
      group.body_from_root = world_[group.root];
      return absl::OkStatus();
    }
    body.pose_world = world_[group.root];
    body.pose_world.position = world_[group.root] * Vec3(-group.body_from_root.position);
    if (!fixed) {
      body.mass_kg = matter.mass;
      body.inertia_body_kg_m2 = matter.inertia_about_center();
    }
    group.body = result_.bodies.size();
    result_.bodies.push_back(std::move(body));
    result_.body_links.push_back(root.name);
    return absl::OkStatus();
  }

  const std::string& BodyOf(size_t link) const {
    static const std::string world;
    const size_t body = groups_[group_of_[link]].body;
    return body == kNoBody ? world : result_.bodies[body].name;
  }
  Pose PoseInBody(size_t link) const {
    return groups_[group_of_[link]].body_from_root * in_group_[link];
  }

  void TellLink(size_t link) {
    result_.report.links.push_back({model_.links[link].name, BodyOf(link), PoseInBody(link)});
  }

  void MakeJoints(size_t link) {
    if (tree_.parent_joint[link] == kNoJoint) return;
    const UrdfJoint& urdf = JointAbove(link);
    if (urdf.kind == UrdfJointKind::kFixed || urdf.kind == UrdfJointKind::kFloating) return;
    const Pose along{Vec3::Zero(), Quat::FromTwoVectors(Vec3::UnitX(), urdf.axis)};
    JointDef joint;
    joint.name = NameInScene(urdf.name);
    joint.body_a = BodyOf(tree_.parent_link[link]);
    joint.body_b = BodyOf(link);
    joint.frame_a = PoseInBody(tree_.parent_link[link]) * urdf.origin * along;
    joint.frame_b = PoseInBody(link) * along;
    joint.frame_a.orientation.normalize();
    joint.frame_b.orientation.normalize();
    joint.axes = FindAxes(urdf, result_.report.unsupported);
    const int axis = FindMovingAxis(urdf.kind);
    result_.report.joints.push_back(
        {urdf.name, joint.name, axis, urdf.limit.value_or(UrdfLimit{})});
    result_.joints.push_back(joint);
    result_.joint_origins.push_back(urdf.name);
    if (axis < 0) return;
    // One axis does one thing, so what else acts on it is a joint of its own.
    const auto add = [&](const char* suffix, const JointAxis& acting) {
      JointDef more = joint;
      more.name = joint.name + suffix;
      more.axes.fill(JointAxis::Free());
      more.axes[static_cast<size_t>(axis)] = acting;
      result_.joints.push_back(std::move(more));
      result_.joint_origins.push_back(urdf.name);
    };
    if (urdf.friction > 0.0) add(".friction", JointAxis::Friction(urdf.friction));
    if (!options_.motors) return;
    add(".motor",
        urdf.limit.has_value() ? JointAxis::Motor(0.0, urdf.limit->effort) : JointAxis::Motor(0.0));
  }

  // Names and materials of the scene are not known here; all else is checked now.
  absl::Status Check() {
    const auto no_name = [](std::string_view) { return false; };
    const auto any_name = [](std::string_view) { return true; };
    absl::Status status = ValidateBodies(result_.bodies, no_name, any_name);
    if (status.ok()) {
      std::map<std::string_view, BodyKind> kinds;
      for (const BodyDef& body : result_.bodies) kinds.emplace(body.name, body.kind);
      status = ValidateJoints(result_.joints, no_name,
                              [&](std::string_view name) -> std::optional<BodyKind> {
                                const auto found = kinds.find(name);
                                if (found == kinds.end()) return std::nullopt;
                                return found->second;
                              });
    }
    const std::optional<FieldErrorParts> parts = GetFieldError(status);
    if (!parts.has_value()) return status;
    return FieldError(NameField(parts->field, result_, 0, 0), parts->value, parts->allowed,
                      status.code());
  }

  absl::Status CheckStrict() const {
    const UnsupportedList& list = result_.report.unsupported;
    if (!options_.strict || list.count() == 0) return absl::OkStatus();
    const UnsupportedElement& first = list.first().front();
    return FieldError("urdf." + first.element, "unsupported",
                      "must not be there in a strict import: " + first.effect + " (line " +
                          std::to_string(first.line) + ", 1 of " + std::to_string(list.count()) +
                          ")");
  }

  const UrdfModel& model_;
  const LinkTree& tree_;
  const ModelOptions& options_;
  std::vector<double> positions_;  // by joint
  std::vector<Pose> world_;        // world <- link, by link
  std::vector<Pose> in_group_;     // root link of the group <- link, by link
  std::vector<size_t> group_of_;   // by link
  std::vector<Group> groups_;
  ImportedModel result_;
  CollisionShapes shapes_;
};

absl::Status ValidateOptions(const ModelOptions& options) {
  const FieldPath path("options");
  if (!options.name.empty())
    TALUS_RETURN_IF_ERROR(CheckName(FieldPath(path, "name"), options.name));
  Quat orientation = options.pose_world.orientation;
  TALUS_RETURN_IF_ERROR(CheckMagnitude(FieldPath(path, "position_world_m"),
                                       options.pose_world.position, kMaxPositionM));
  return NormalizeOrientation(FieldPath(path, "orientation_world"), orientation);
}

}  // namespace

std::string NameField(std::string_view field, const ImportedModel& model, size_t first_body,
                      size_t first_joint) {
  const auto rename = [&](std::string_view list, const char* element,
                          const std::vector<std::string>& names,
                          size_t first) -> std::optional<std::string> {
    const size_t begin = field.find(list);
    if (begin == std::string_view::npos) return std::nullopt;
    size_t index = 0;
    const char* const digits = field.data() + begin + list.size();
    const auto [end, error] = std::from_chars(digits, field.data() + field.size(), index);
    if (error != std::errc() || index < first || index - first >= names.size()) return std::nullopt;
    const auto rest = static_cast<size_t>(end - field.data());
    return std::string(field.substr(0, begin)) + "urdf." + element + "[" + names[index - first] +
           std::string(field.substr(rest));
  };
  if (auto named = rename("bodies[", "link", model.body_links, first_body))
    return *std::move(named);
  if (auto named = rename("joints[", "joint", model.joint_origins, first_joint))
    return *std::move(named);
  return std::string(field);
}

absl::StatusOr<ImportedModel> ImportModel(std::string_view urdf, std::span<const ModelFile> files,
                                          const ModelOptions& options) {
  TALUS_RETURN_IF_ERROR(ValidateOptions(options));
  TALUS_RETURN_IF_ERROR(ValidateFiles(files, "files"));
  TALUS_ASSIGN_OR_RETURN(const UrdfModel model, ReadUrdf(urdf));
  TALUS_ASSIGN_OR_RETURN(const LinkTree tree, FindLinkTree(model));
  return Importer(model, tree, files, options).Import();
}

}  // namespace talus::model
