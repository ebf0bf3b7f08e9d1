// What a snapshot (snapshot.h) holds beside a plain scene, and the version that says so.
//
// A scene in which nothing may sleep is written as version 1, any other as version 2: version 1
// with the sleep settings after the solver's, and behind the shapes of each body after how many
// steps it was still. A scene that has or had joints is version 3 or, where bodies may sleep, 4:
// version 1 or 2 with the joints at the end. A scene with anything more is version 5: a byte of
// SnapshotFeature bits, then the same; with what that byte has no bit for it is version 6, of two
// bytes.
#pragma once

#include <cstdint>

#include "solver/state/byte_stream.h"
#include "solver/state/scene_state.h"

namespace talus {

inline constexpr uint32_t kFirstSnapshotVersion = 1;
inline constexpr uint32_t kLastSnapshotVersion = 6;

enum SnapshotFeature : uint16_t {
  kSleeps = 1,
  kJoints = 2,
  kMaterialPairs = 4,
  kElastic = 8,          // materials have their elasticity behind their coefficients
  kContactNormals = 16,  // behind the contact cache
  kLawSettings = 32,     // behind the solver's settings: of flat laws, where not the defaults
  kTheta = 64,           // the settings end with it: it is not 1
  kActuation = 128,      // at the end: loads, and joints whose targets were set
  kViscous = 256,        // behind the elasticity of materials: its viscosities
  kPsor = 512,           // behind those of flat laws: what PSOR iterates, where not the defaults
};

uint16_t FeaturesOf(const SceneState& state);

// The one version that a snapshot with these features has.
uint32_t VersionOf(uint16_t features);

// At the beginning of a payload: nothing in versions that say it all by themselves.
void EncodeFeatures(uint16_t features, ByteWriter& out);
// `version` is one of those above. Bits that mean nothing may be set.
uint16_t DecodeFeatures(uint32_t version, ByteReader& in);

}  // namespace talus
