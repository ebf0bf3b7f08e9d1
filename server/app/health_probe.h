// `talus_server --health-check ADDR`: one question to a running server, the answer as a line and a
// result.
#pragma once

#include <string>

namespace talus::app {

// Prints SERVING on standard output, or the reason on standard error. True when the server serves.
bool ProbeHealth(const std::string& address);

}  // namespace talus::app
