#include "server/wire/body_codec.h"

#include "server/wire/geometry_codec.h"
#include "solver/base/field_error.h"

namespace talus::wire {
namespace {

absl::StatusOr<Geometry> DecodeGeometry(const v1::ShapeSpec& message, const FieldPath& path) {
  switch (message.geometry_case()) {
    case v1::ShapeSpec::kSphere:
      return Sphere{message.sphere().radius_m()};
    case v1::ShapeSpec::kBox:
      return Box{DecodeVector(message.box().half_extents_m())};
    case v1::ShapeSpec::kPlane:
      return Plane{DecodeVector(message.plane().normal())};
    case v1::ShapeSpec::kContainer: {
      const v1::Container& tray = message.container();
      return Container{tray.inner_length_x_m(), tray.inner_length_y_m(), tray.wall_height_m(),
                       tray.thickness_m()};
    }
    case v1::ShapeSpec::GEOMETRY_NOT_SET:
      break;
  }
  return FieldError(FieldPath(path, "geometry").ToString(), "unset",
                    "must be set: sphere, box, plane or container");
}

absl::StatusOr<ShapeDef> DecodeShape(const v1::ShapeSpec& message, const FieldPath& path) {
  absl::StatusOr<Geometry> geometry = DecodeGeometry(message, path);
  if (!geometry.ok()) return geometry.status();
  ShapeDef shape;
  shape.geometry = *std::move(geometry);
  shape.pose_body.position = DecodeVector(message.position_body_m());
  if (message.has_orientation_body()) {
    shape.pose_body.orientation = DecodeQuaternion(message.orientation_body());
  }
  shape.material = message.material();
  return shape;
}

struct GeometryEncoder {
  v1::ShapeSpec& message;

  void operator()(const Sphere& sphere) const {
    message.mutable_sphere()->set_radius_m(sphere.radius_m);
  }
  void operator()(const Box& box) const {
    EncodeVector(box.half_extents_m, *message.mutable_box()->mutable_half_extents_m());
  }
  void operator()(const Plane& plane) const {
    EncodeVector(plane.normal, *message.mutable_plane()->mutable_normal());
  }
  void operator()(const Container& tray) const {
    v1::Container& container = *message.mutable_container();
    container.set_inner_length_x_m(tray.inner_length_x_m);
    container.set_inner_length_y_m(tray.inner_length_y_m);
    container.set_wall_height_m(tray.wall_height_m);
    container.set_thickness_m(tray.thickness_m);
  }
};

void EncodeShape(const ShapeDef& shape, v1::ShapeSpec& message) {
  std::visit(GeometryEncoder{message}, shape.geometry);
  EncodeVector(shape.pose_body.position, *message.mutable_position_body_m());
  EncodeQuaternion(shape.pose_body.orientation, *message.mutable_orientation_body());
  message.set_material(shape.material);
}

absl::StatusOr<BodyKind> DecodeBodyKind(v1::BodyKind kind, const FieldPath& path) {
  switch (kind) {
    case v1::BODY_KIND_UNSPECIFIED:
    case v1::BODY_KIND_DYNAMIC:
      return BodyKind::kDynamic;
    case v1::BODY_KIND_STATIC:
      return BodyKind::kStatic;
    case v1::BODY_KIND_KINEMATIC:
      return BodyKind::kKinematic;
    default:  // proto3 enums are open: any number may arrive
      return FieldError(path.ToString(), std::to_string(static_cast<int>(kind)),
                        "must be a value of BodyKind");
  }
}

v1::BodyKind EncodeKind(BodyKind kind) {
  switch (kind) {
    case BodyKind::kDynamic:
      return v1::BODY_KIND_DYNAMIC;
    case BodyKind::kStatic:
      return v1::BODY_KIND_STATIC;
    case BodyKind::kKinematic:
      return v1::BODY_KIND_KINEMATIC;
  }
  return v1::BODY_KIND_UNSPECIFIED;
}

Mat3 DecodeInertia(const v1::Inertia& m) {
  Mat3 inertia;
  inertia << m.xx(), m.xy(), m.xz(),  //
      m.xy(), m.yy(), m.yz(),         //
      m.xz(), m.yz(), m.zz();
  return inertia;
}

void EncodeInertia(const Mat3& inertia, v1::Inertia& message) {
  message.set_xx(inertia(0, 0));
  message.set_yy(inertia(1, 1));
  message.set_zz(inertia(2, 2));
  message.set_xy(inertia(0, 1));
  message.set_xz(inertia(0, 2));
  message.set_yz(inertia(1, 2));
}

}  // namespace

absl::StatusOr<BodyDef> DecodeBody(const v1::BodySpec& message, const FieldPath& path) {
  BodyDef body;
  body.name = message.name();
  absl::StatusOr<BodyKind> kind = DecodeBodyKind(message.kind(), FieldPath(path, "kind"));
  if (!kind.ok()) return kind.status();
  body.kind = *kind;
  body.pose_world.position = DecodeVector(message.position_world_m());
  if (message.has_orientation_world()) {
    body.pose_world.orientation = DecodeQuaternion(message.orientation_world());
  }
  body.linear_velocity_world_m_s = DecodeVector(message.linear_velocity_world_m_s());
  body.angular_velocity_world_rad_s = DecodeVector(message.angular_velocity_world_rad_s());
  body.shapes.reserve(static_cast<size_t>(message.shapes_size()));
  for (const v1::ShapeSpec& shape_message : message.shapes()) {
    absl::StatusOr<ShapeDef> shape =
        DecodeShape(shape_message, FieldPath(path, "shapes", body.shapes.size()));
    if (!shape.ok()) return shape.status();
    body.shapes.push_back(*std::move(shape));
  }
  if (message.has_mass_kg()) body.mass_kg = message.mass_kg();
  if (message.has_density_kg_m3()) body.density_kg_m3 = message.density_kg_m3();
  if (message.has_inertia_body_kg_m2()) {
    body.inertia_body_kg_m2 = DecodeInertia(message.inertia_body_kg_m2());
  }
  return body;
}

void EncodeBody(const BodyDef& body, v1::BodySpec& message) {
  message.set_name(body.name);
  message.set_kind(EncodeKind(body.kind));
  EncodeVector(body.pose_world.position, *message.mutable_position_world_m());
  EncodeQuaternion(body.pose_world.orientation, *message.mutable_orientation_world());
  EncodeVector(body.linear_velocity_world_m_s, *message.mutable_linear_velocity_world_m_s());
  EncodeVector(body.angular_velocity_world_rad_s, *message.mutable_angular_velocity_world_rad_s());
  for (const ShapeDef& shape : body.shapes) EncodeShape(shape, *message.add_shapes());
  if (body.mass_kg) message.set_mass_kg(*body.mass_kg);
  if (body.density_kg_m3) message.set_density_kg_m3(*body.density_kg_m3);
  if (body.inertia_body_kg_m2) {
    EncodeInertia(*body.inertia_body_kg_m2, *message.mutable_inertia_body_kg_m2());
  }
}

absl::StatusOr<std::vector<BodyDef>> DecodeBodies(
    const google::protobuf::RepeatedPtrField<v1::BodySpec>& messages, const FieldPath* parent) {
  std::vector<BodyDef> bodies;
  bodies.reserve(static_cast<size_t>(messages.size()));
  for (const v1::BodySpec& message : messages) {
    const size_t index = bodies.size();
    absl::StatusOr<BodyDef> body =
        DecodeBody(message, parent == nullptr ? FieldPath("bodies", index)
                                              : FieldPath(*parent, "bodies", index));
    if (!body.ok()) return body.status();
    bodies.push_back(*std::move(body));
  }
  return bodies;
}

}  // namespace talus::wire
