#include "solver/state/snapshot_features.h"

#include "solver/state/actuation_snapshot.h"
#include "solver/state/settings_snapshot.h"

namespace talus {
namespace {

constexpr uint32_t kPlainVersion = 1;
constexpr uint32_t kSleepVersion = 2;
constexpr uint32_t kJointVersions = 2;  // so many versions above
constexpr uint32_t kByteVersion = kSleepVersion + kJointVersions + 1;
constexpr uint32_t kTwoByteVersion = kByteVersion + 1;
static_assert(kPlainVersion == kFirstSnapshotVersion && kTwoByteVersion == kLastSnapshotVersion);

constexpr uint16_t kPlainFeatures = kSleeps | kJoints;  // those of versions without bits
constexpr uint16_t kByteFeatures = 0xff;

}  // namespace

uint16_t FeaturesOf(const SceneState& state) {
  return static_cast<uint16_t>(
      (state.settings.sleep.has_value() ? kSleeps : 0) | (state.next_joint_id > 1 ? kJoints : 0) |
      (state.materials.pairs().empty() ? 0 : kMaterialPairs) |
      (state.materials.elastic() ? kElastic : 0) | (state.materials.viscous() ? kViscous : 0) |
      (state.contact_cache.normals().empty() ? 0 : kContactNormals) |
      (HasLawSettings(state.settings.solver) ? kLawSettings : 0) |
      (HasPsor(state.settings.solver) ? kPsor : 0) | (state.settings.theta == 1.0 ? 0 : kTheta) |
      (IsActuated(state) ? kActuation : 0));
}

uint32_t VersionOf(uint16_t features) {
  if ((features & ~kByteFeatures) != 0) return kTwoByteVersion;
  if ((features & ~kPlainFeatures) != 0) return kByteVersion;
  return ((features & kSleeps) != 0 ? kSleepVersion : kPlainVersion) +
         ((features & kJoints) != 0 ? kJointVersions : 0);
}

void EncodeFeatures(uint16_t features, ByteWriter& out) {
  const uint32_t version = VersionOf(features);
  if (version == kByteVersion) out.Write(static_cast<uint8_t>(features));
  if (version == kTwoByteVersion) out.Write(features);
}

uint16_t DecodeFeatures(uint32_t version, ByteReader& in) {
  if (version == kTwoByteVersion) return in.Read<uint16_t>();
  if (version == kByteVersion) return in.Read<uint8_t>();
  const bool joints = version > kJointVersions;
  const bool sleeps = version - (joints ? kJointVersions : 0) == kSleepVersion;
  return static_cast<uint16_t>((sleeps ? kSleeps : 0) | (joints ? kJoints : 0));
}

}  // namespace talus
