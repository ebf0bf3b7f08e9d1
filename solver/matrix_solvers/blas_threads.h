// Where the BLAS of the machine is OpenBLAS: its sums must not depend on how many cores it sees,
// and threads that wait for each other in short products count as time of the processor.
#pragma once

namespace talus::matrix {

// Of the process. Without OpenBLAS nothing happens.
void UseOneBlasThread();

}  // namespace talus::matrix
