// That libraries do not follow the processor: before main already, since nothing here asks for it.
#include "solver/matrix_solvers/same_bits.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <Eigen/Core>

namespace talus::matrix {
namespace {

TEST(SameBits, OpenBlasTakesOneSetOfKernels) {
#if defined(__x86_64__)
  const auto name =
      reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (name == nullptr) GTEST_SKIP() << "the BLAS of this machine is not OpenBLAS";
  EXPECT_STREQ(name(), "Haswell");
#else
  GTEST_SKIP() << "not x86-64";
#endif
}

TEST(SameBits, EigenCutsProductsBySizesOfItsOwn) {
  EXPECT_EQ(Eigen::l1CacheSize(), 32 << 10);
  EXPECT_EQ(Eigen::l2CacheSize(), 512 << 10);
  EXPECT_EQ(Eigen::l3CacheSize(), 32 << 20);
}

}  // namespace
}  // namespace talus::matrix
