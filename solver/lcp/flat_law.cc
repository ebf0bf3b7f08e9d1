#include "solver/lcp/flat_law.h"

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

}  // namespace talus::lcp
