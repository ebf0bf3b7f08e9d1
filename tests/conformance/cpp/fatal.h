// The end of a runner that cannot go on: a transcript that is no transcript, a path that names no
// field. Exit code 2, as the README beside the transcripts says.
#pragma once

#include <string>

namespace talus::conformance {

[[noreturn]] void Fatal(const std::string& message);

}  // namespace talus::conformance
