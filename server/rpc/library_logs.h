// Sends what gRPC and Protocol Buffers themselves have to say (a handshake that failed, a text that
// is no message) to the server's log, so that the log has one form.
#pragma once

namespace talus::rpc {

// From now on, in this process. What they call an error is a warning here: most often a caller's
// mistake.
void RouteLibraryLogs();

}  // namespace talus::rpc
