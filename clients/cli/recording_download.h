// A recording of a server as a file here: chunk by chunk, for it may be larger than memory, into a
// file beside its place.
#pragma once

#include <cstdint>
#include <string>

#include "clients/cpp/client.h"

namespace talus::cli {

// `recording` is `recordings/ID`. Gives the size in bytes; kUnknown where the file cannot be
// written, kCancelled when `options` was stopped.
client::Result<int64_t> DownloadRecordingFile(client::Client& client, const std::string& recording,
                                              const std::string& path,
                                              const client::CallOptions& options);

}  // namespace talus::cli
