// Sends what gRPC itself has to say (a handshake that failed, a port it could not have) to the
// server's log, so that the log has one form.
#pragma once

namespace talus::rpc {

// From now on, in this process. What gRPC calls an error is a warning here: most often a caller's
// mistake.
void RouteGrpcLog();

}  // namespace talus::rpc
