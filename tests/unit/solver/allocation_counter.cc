#include "tests/support/allocation_counter.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<size_t> allocation_count{0};

}  // namespace

// Both forms: what one allocates may be freed by the delete below, and sanitizers look at the
// pairing.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size > 0 ? size : 1);
}
void* operator new(size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace talus::testing {

size_t AllocationCount() { return allocation_count.load(std::memory_order_relaxed); }

}  // namespace talus::testing
