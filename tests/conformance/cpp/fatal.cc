#include "tests/conformance/cpp/fatal.h"

#include <cstdio>
#include <cstdlib>

namespace talus::conformance {

void Fatal(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "conformance: %s\n", message.c_str());
  std::exit(2);
}

}  // namespace talus::conformance
