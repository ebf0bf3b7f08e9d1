// `talus_server --health-check [ADDR]`: one question to a running server, the answer as a line and
// a result.
//
// The options are those the server itself was started with, so that a probe in the same container
// asks as that server wants to be asked: where there is a certificate, a TCP address is asked by
// TLS.
#pragma once

#include "server/app/options.h"

namespace talus::app {

// Prints SERVING on standard output, or the reason on standard error. True when the server serves.
bool ProbeHealth(const Options& options);

}  // namespace talus::app
