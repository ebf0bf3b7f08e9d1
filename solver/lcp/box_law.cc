#include "solver/lcp/box_law.h"

namespace talus::lcp {

ContactMlcp AssembleBoxLaw(const MatrixProblem& problem) {
  ContactMlcpBuilder builder(problem);
  for (size_t block = 0; block < problem.block_count(); ++block) {
    const BlockLaw& law = problem.laws[block];
    if (law.kind == BlockLawKind::kBounds) {
      builder.AddBounds(block);
      continue;
    }
    const int32_t normal = builder.AddNormal(block);
    for (const FrictionPart& part : FrictionParts(law.cone)) {
      for (Eigen::Index k = part.first; k < part.first + part.count; ++k) {
        builder.AddImpulse(
            block, Wrench::Unit(k),
            {.lower = -part.coefficient, .upper = part.coefficient, .coupled_to = normal});
      }
    }
  }
  return builder.Finish();
}

}  // namespace talus::lcp
