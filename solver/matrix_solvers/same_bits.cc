#include "solver/matrix_solvers/same_bits.h"

#include <dlfcn.h>

#include <Eigen/Core>
#include <cstdlib>

namespace talus::matrix {
namespace {

template <typename Function>
Function* FindInBlas(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// It has chosen when it was loaded, by the processor: it is ended and begun again.
void ChooseBlasKernels() {
#if defined(__x86_64__)
  const auto end = FindInBlas<void()>("gotoblas_dynamic_quit");
  const auto begin = FindInBlas<void()>("gotoblas_dynamic_init");
  if (end == nullptr || begin == nullptr) return;  // built for one processor
  setenv("OPENBLAS_CORETYPE", "Haswell", 1);
  end();
  begin();
#endif
}

bool Keep() {
  ChooseBlasKernels();
  if (const auto set = FindInBlas<void(int)>("openblas_set_num_threads")) set(1);
  Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 32 << 20);
  return true;
}

// Before there are other threads, which might read the environment.
struct KeptBeforeMain {
  KeptBeforeMain() { KeepSameBits(); }
} const kept_before_main;

}  // namespace

void KeepSameBits() { [[maybe_unused]] static const bool kept = Keep(); }

}  // namespace talus::matrix
