// Vectors, poses and shapes as JSON arrays and objects, for the state and the step record alike.
// Numbers are written with all their digits, so that reading gives the same bits back.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "solver/base/math.h"
#include "solver/scene/shape.h"

namespace talus::peers {

using Json = nlohmann::ordered_json;

inline Json ToJson(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
inline Json ToJson(const Quat& q) { return Json::array({q.w(), q.x(), q.y(), q.z()}); }

// These throw std::exception, as the JSON library does; the readers turn it into a status.
inline Vec3 ParseVec3(const Json& json) {
  if (!json.is_array() || json.size() != 3) throw std::runtime_error("a vector has 3 numbers");
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}
inline Quat ParseQuat(const Json& json) {
  if (!json.is_array() || json.size() != 4) throw std::runtime_error("a quaternion has 4 numbers");
  return Quat(json[0].get<double>(), json[1].get<double>(), json[2].get<double>(),
              json[3].get<double>());
}

Json ToJson(const ShapeDef& shape);
ShapeDef ParseShape(const Json& json);

}  // namespace talus::peers
