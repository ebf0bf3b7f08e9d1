// The materials of a scene within a snapshot (snapshot.h), and what pairs of them are to each
// other. The reader believes nothing it reads.
#pragma once

#include "absl/status/status.h"
#include "solver/state/byte_stream.h"
#include "solver/state/material_table.h"

namespace talus {

// `elastic`: with their elasticity.
void EncodeMaterials(const MaterialTable& materials, bool elastic, ByteWriter& out);
void EncodeMaterialPairs(const MaterialTable& materials, bool elastic, ByteWriter& out);

// Into an empty table, and then the pairs of what it holds. INVALID_ARGUMENT: these are none that a
// scene can have.
absl::Status DecodeMaterials(ByteReader& in, bool elastic, MaterialTable& materials);
absl::Status DecodeMaterialPairs(ByteReader& in, bool elastic, MaterialTable& materials);

}  // namespace talus
