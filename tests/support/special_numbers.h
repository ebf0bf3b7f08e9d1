// Numbers that are none, for what has no bound and for what must be refused.
#pragma once

#include <limits>

namespace talus::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace talus::testing
