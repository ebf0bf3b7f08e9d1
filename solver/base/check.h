// Checks of our own promises. A failed check is a bug of ours, never a user's mistake: what comes
// from outside is validated before it gets here and answered with a Status.
#pragma once

namespace talus::internal {
[[noreturn]] void FailCheck(const char* condition, const char* file, int line);
}  // namespace talus::internal

#define TALUS_CHECK(condition) \
  ((condition) ? void() : ::talus::internal::FailCheck(#condition, __FILE__, __LINE__))

#ifdef NDEBUG
#define TALUS_DCHECK(condition) ((void)sizeof(condition))
#else
#define TALUS_DCHECK(condition) TALUS_CHECK(condition)
#endif
