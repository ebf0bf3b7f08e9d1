// The version this server was built as, for --version and GetServerInfo; the build defines it from
// the project version.
#pragma once

namespace talus::app {

inline constexpr char kVersion[] = TALUS_VERSION;

}  // namespace talus::app
