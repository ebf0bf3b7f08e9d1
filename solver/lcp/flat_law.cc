#include "solver/lcp/flat_law.h"

#include <cmath>

#include "solver/base/check.h"
#include "solver/lcp/box_law.h"
#include "solver/lcp/polygonal_law.h"

namespace talus::lcp {

absl::StatusOr<ContactMlcp> AssembleFlatLaw(const MatrixProblem& problem, const FlatLaw& law,
                                            const Eigen::VectorXd& old_impulse) {
  TALUS_CHECK(HasFlatSides(law.law));
  if (law.law == ContactLaw::kBox) return AssembleBoxLaw(problem);
  if (law.law == ContactLaw::kPolygonal) return AssemblePolygonalLaw(problem, law.facet_count);
  if (old_impulse.size() > 0) return AssembleBristleLaw(problem, law.bristles, old_impulse);
  return AssembleBristleLaw(problem, law.bristles, Eigen::VectorXd::Zero(problem.row_count()));
}

Eigen::Index CountLemkeRows(const BlockLaw& block, const FlatLaw& law) {
  Eigen::Index rows = 0;
  if (block.kind == BlockLawKind::kBounds) {
    for (int k = 0; k < 6; ++k) {
      const bool has_lower = std::isfinite(block.lower[k]);
      const bool has_upper = std::isfinite(block.upper[k]);
      // The multiplier of the upper bound; nothing where it cannot move.
      rows += (has_lower || has_upper ? 1 : 0) + (has_lower && has_upper ? 1 : 0);
      if (block.lower[k] == block.upper[k]) rows -= 2;
    }
    return rows;
  }
  rows = 1;
  for (const FrictionPart& part : FrictionParts(block.cone)) {
    if (law.law == ContactLaw::kPolygonal) {
      rows += (part.count == 1 ? 2 : law.facet_count) + 1;
    } else {
      rows += 3 * part.count;  // forth, back, and the multiplier of their bound
    }
  }
  return rows;
}

}  // namespace talus::lcp
