// What makes libraries leave the same bits on every processor and any number of cores.
//
// OpenBLAS, which MUMPS calls, has kernels for each kind of processor, and those of wider registers
// sum in another order; its sums also follow the cores that it sees. Eigen cuts its products by the
// size of the caches.
#pragma once

namespace talus::matrix {

// Of the process, and done before main in whatever links this: OpenBLAS takes one thread and the
// kernels of Haswell, which any processor with AVX2 runs, whatever OPENBLAS_CORETYPE says, and
// Eigen takes caches of 32 KiB, 512 KiB and 32 MiB. Where the BLAS is another one it stays as it
// is. One thread is also quicker: those that wait for each other in short products count as time of
// the processor.
void KeepSameBits();

}  // namespace talus::matrix
