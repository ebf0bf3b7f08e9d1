// What the contacts of the last step carried, within a snapshot (snapshot.h), and where surfaces
// remember the normals they had. The reader believes nothing it reads.
#pragma once

#include "absl/status/status.h"
#include "solver/state/byte_stream.h"
#include "solver/state/contact_cache.h"

namespace talus {

void EncodeContacts(const ContactCache& cache, ByteWriter& out);

// Into an empty cache. INVALID_ARGUMENT: these are no contacts that a scene can have had.
absl::Status DecodeContacts(ByteReader& in, bool with_normals, ContactCache& cache);

}  // namespace talus
