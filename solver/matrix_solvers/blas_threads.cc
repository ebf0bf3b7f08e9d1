#include "solver/matrix_solvers/blas_threads.h"

#include <dlfcn.h>

namespace talus::matrix {

void UseOneBlasThread() {
  static const auto set =
      reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr) set(1);
}

}  // namespace talus::matrix
