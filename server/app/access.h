// Reads what the options name to decide who may call: tokens, certificates, the rate of calls.
#pragma once

#include "absl/status/statusor.h"
#include "server/app/options.h"
#include "server/rpc/grpc_server.h"

namespace talus::app {

// FAILED_PRECONDITION or INVALID_ARGUMENT, naming the option and the file. Warns in the log of a
// certificate that ends soon.
absl::StatusOr<rpc::AccessOptions> LoadAccess(const Options& options);

}  // namespace talus::app
