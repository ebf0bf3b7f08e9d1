#include "solver/world/instruction_set.h"

#include "solver/contact/kernels/block_kernels.h"

namespace talus {

std::string_view FindInstructionSet() { return KernelTargets().front(); }

}  // namespace talus
