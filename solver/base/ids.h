// Stable handles. An id is given once and never reused within a scene, so it can be kept across
// steps and snapshots; a row (plain index) is only valid until bodies come or go. Ids grow in the
// order things were added, and rows keep that order, so sorting by row is sorting by id.
#pragma once

#include <compare>
#include <cstdint>

namespace talus {

enum class BodyId : uint64_t {};

inline uint64_t ToInteger(BodyId id) { return static_cast<uint64_t>(id); }

enum class JointId : uint64_t {};

inline uint64_t ToInteger(JointId id) { return static_cast<uint64_t>(id); }

}  // namespace talus
