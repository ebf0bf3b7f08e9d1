// The materials of a scene within a snapshot (snapshot.h), and what pairs of them are to each
// other. The reader believes nothing it reads.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "solver/state/byte_stream.h"
#include "solver/state/material_table.h"

namespace talus {

// What stands of their elasticity behind the coefficients of materials.
enum class SavedElasticity : uint8_t {
  kNone,
  kElastic,  // kElasticNumbers
  kViscous,  // those, and kViscousNumbers
};

void EncodeMaterials(const MaterialTable& materials, SavedElasticity saved, ByteWriter& out);
void EncodeMaterialPairs(const MaterialTable& materials, SavedElasticity saved, ByteWriter& out);

// Into an empty table, and then the pairs of what it holds. INVALID_ARGUMENT: these are none that a
// scene can have.
absl::Status DecodeMaterials(ByteReader& in, SavedElasticity saved, MaterialTable& materials);
absl::Status DecodeMaterialPairs(ByteReader& in, SavedElasticity saved, MaterialTable& materials);

}  // namespace talus
