#include "solver/state/actuation_snapshot.h"

#include <algorithm>

#include "solver/base/limits.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr size_t kLoadBytes = 7 * sizeof(double);

// Written so that NaN fails.
bool IsForce(const Vec3& value) { return value.cwiseAbs().maxCoeff() <= kMaxForce; }

absl::Status CheckLoad(const BodyLoad& load, BodyId least, const BodyStore& bodies) {
  const std::optional<size_t> row = bodies.FindRow(load.body);
  if (!row.has_value() || bodies.kinds()[*row] != BodyKind::kDynamic || load.body < least) {
    return absl::InvalidArgumentError("a load is on no dynamic body, or not in their order");
  }
  const bool any = !load.force.isZero(0.0) || !load.torque.isZero(0.0);
  const bool finite = load.force.allFinite() && load.torque.allFinite();
  if (any && finite && IsForce(load.force) && IsForce(load.torque)) return absl::OkStatus();
  return absl::InvalidArgumentError("a load is zero or out of bounds");
}

}  // namespace

bool IsActuated(const SceneState& state) {
  return !state.loads.empty() || std::ranges::any_of(state.joints, &JointState::actuated);
}

void EncodeActuation(const SceneState& state, ByteWriter& out) {
  out.Write(static_cast<uint64_t>(state.loads.size()));
  for (const BodyLoad& load : state.loads) {
    out.Write(load.body);
    out.WriteVector(load.force);
    out.WriteVector(load.torque);
  }
  for (const JointState& joint : state.joints) {
    out.Write(static_cast<uint8_t>(joint.actuated ? 1 : 0));
  }
}

absl::Status DecodeActuation(ByteReader& in, SceneState& state) {
  const uint64_t count = in.ReadCount(kLoadBytes);
  BodyId least{1};
  for (uint64_t index = 0; index < count && in.ok(); ++index) {
    BodyLoad load;
    load.body = in.Read<BodyId>();
    load.force = in.ReadVector();
    load.torque = in.ReadVector();
    TALUS_RETURN_IF_ERROR(CheckLoad(load, least, state.bodies));
    least = BodyId{ToInteger(load.body) + 1};
    state.loads.push_back(load);
  }
  for (JointState& joint : state.joints) {
    const auto actuated = in.Read<uint8_t>();
    if (actuated > 1) in.Fail();
    joint.actuated = actuated == 1;
  }
  if (in.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError("what it is driven with does not parse");
}

}  // namespace talus
