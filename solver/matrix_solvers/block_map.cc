#include "solver/matrix_solvers/block_map.h"

#include "solver/matrix/friction_cone.h"

namespace talus::matrix {

Wrench MapBlock(const BlockLaw& law, ContactLaw contact_law, const Wrench& x) {
  if (law.kind == BlockLawKind::kBounds || contact_law == ContactLaw::kCcp) {
    return ProjectBlock(law, x);
  }
  return ClipToCone(law.cone, x);
}

Eigen::VectorXd MapBlocks(const ScaledProblem& problem, ContactLaw contact_law, Eigen::VectorXd x) {
  for (size_t i = 0; i < problem.block_count(); ++i) {
    auto block = x.segment<6>(6 * static_cast<Eigen::Index>(i));
    block = MapBlock(problem.laws[i], contact_law, block);
  }
  return x;
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
