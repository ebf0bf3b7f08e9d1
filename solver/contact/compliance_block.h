// What the contacts of a block have beside the rest where surfaces give way: E, the biases of the
// rows that friction moves along, and the steps that rigid contacts need not have. Of doubles only.
#pragma once

#include "solver/contact/contact_block.h"

namespace talus {

struct alignas(64) ComplianceBlock {
  Lanes compliance[kPartCount];  // E of each part, 1/kg and 1/(kg m²); 0: rigid
  Lanes bias[5];                 // b of the rows behind the normal one, m/s and rad/s
  // Of central blocks, in which rigid contacts find them from their masses.
  Lanes spinning_step;
  Lanes worst_step;
};

}  // namespace talus
