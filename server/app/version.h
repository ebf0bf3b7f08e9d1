// The server's version, as the build was told it.
#pragma once

namespace talus::app {

inline constexpr char kVersion[] = TALUS_VERSION;

}  // namespace talus::app
