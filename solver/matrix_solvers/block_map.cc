#include "solver/matrix_solvers/block_map.h"

#include "solver/matrix/friction_cone.h"
#include "solver/matrix/scaled_problem.h"

namespace talus::matrix {

Wrench MapBlock(const BlockLaw& law, ContactLaw contact_law, const Wrench& x) {
  if (law.kind == BlockLawKind::kBounds || contact_law == ContactLaw::kCcp) {
    return ProjectBlock(law, x);
  }
  return ClipToCone(law.cone, x);
}

Matrix6 MapDerivative(const BlockLaw& law, ContactLaw contact_law, const Wrench& x) {
  if (law.kind == BlockLawKind::kContact) {
    return contact_law == ContactLaw::kCcp ? ProjectionDerivative(law.cone, x)
                                           : ClippingDerivative(law.cone, x);
  }
  const auto inside = (x.array() > law.lower.array()) && (x.array() < law.upper.array());
  return inside.cast<double>().matrix().asDiagonal();
}

}  // namespace talus::matrix
