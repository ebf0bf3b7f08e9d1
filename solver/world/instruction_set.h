// What contacts are solved with on this machine: one binary holds the kernels for several
// processors and takes the widest that the one it runs on has.
#pragma once

#include <string_view>

namespace talus {

// The widest vector instructions that the kernels of the solver were built for and this machine
// has, as Highway names them: "AVX3" (AVX-512), "AVX2", "NEON" and so on. The bits of a step do not
// depend on it.
std::string_view FindInstructionSet();

}  // namespace talus
