#include "solver/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace talus::internal {

void FailCheck(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "talus: check failed: %s at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace talus::internal
