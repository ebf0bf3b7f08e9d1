// The sweeps in single precision (block_kernels.h).
#define TALUS_REAL float
#define TALUS_STORED float
#define TALUS_KERNELS talus::single

// Once for each instruction set: this file, and with it the -inl headers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solver/contact/kernels/single_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "solver/contact/kernels/sweep-inl.h"

#if HWY_ONCE
namespace talus::single {

HWY_EXPORT(SweepAlartCurnier);
HWY_EXPORT(SweepProjected);

SweepChange SweepAlartCurnier(const SingleSweepBlocks& sweep, const BlockChunk& chunk) {
  return HWY_DYNAMIC_DISPATCH(SweepAlartCurnier)(sweep, chunk);
}

SweepChange SweepProjected(const SingleSweepBlocks& sweep, const BlockChunk& chunk) {
  return HWY_DYNAMIC_DISPATCH(SweepProjected)(sweep, chunk);
}

}  // namespace talus::single
#endif
