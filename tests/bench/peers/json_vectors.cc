#include "tests/bench/peers/json_vectors.h"

#include <variant>

namespace talus::peers {

Json ToJson(const ShapeDef& shape) {
  Json json;
  if (const Sphere* sphere = std::get_if<Sphere>(&shape.geometry)) {
    json["sphere_radius_m"] = sphere->radius_m;
  } else if (const Box* box = std::get_if<Box>(&shape.geometry)) {
    json["box_half_extents_m"] = ToJson(box->half_extents_m);
  } else if (const Plane* plane = std::get_if<Plane>(&shape.geometry)) {
    json["plane_normal"] = ToJson(plane->normal);
  } else {
    throw std::runtime_error("a shape is a sphere, a box or a plane");
  }
  json["position_m"] = ToJson(shape.pose_body.position);
  json["orientation_wxyz"] = ToJson(shape.pose_body.orientation);
  return json;
}

ShapeDef ParseShape(const Json& json) {
  ShapeDef shape;
  if (json.contains("sphere_radius_m")) {
    shape.geometry = Sphere{json.at("sphere_radius_m").get<double>()};
  } else if (json.contains("box_half_extents_m")) {
    shape.geometry = Box{ParseVec3(json.at("box_half_extents_m"))};
  } else if (json.contains("plane_normal")) {
    shape.geometry = Plane{ParseVec3(json.at("plane_normal"))};
  } else {
    throw std::runtime_error("a shape is a sphere, a box or a plane");
  }
  shape.pose_body = {ParseVec3(json.at("position_m")), ParseQuat(json.at("orientation_wxyz"))};
  return shape;
}

}  // namespace talus::peers
