#include "solver/lcp/polygonal_law.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"

namespace talus::lcp {
namespace {

// The facets of one friction part, and their multiplier.
void AddFacets(size_t block, int32_t normal, const FrictionPart& part, int32_t facet_count,
               ContactMlcpBuilder& builder) {
  const int32_t multiplier = builder.AddMultiplier(block);
  builder.AddEntry(multiplier, normal, part.coefficient);
  // An axis by itself has two directions.
  const int32_t count = part.count == 1 ? 2 : facet_count;
  for (int32_t j = 0; j < count; ++j) {
    const double angle = 2.0 * std::numbers::pi * j / count;
    Wrench direction = Wrench::Zero();
    direction[part.first] = std::cos(angle);
    if (part.count == 2) direction[part.first + 1] = std::sin(angle);
    const int32_t facet = builder.AddImpulse(
        block, direction, {.lower = 0.0, .upper = std::numeric_limits<double>::infinity()});
    builder.AddEntry(facet, multiplier, 1.0);
    builder.AddEntry(multiplier, facet, -1.0);
  }
}

}  // namespace

absl::StatusOr<ContactMlcp> AssemblePolygonalLaw(const MatrixProblem& problem,
                                                 int32_t facet_count) {
  if (facet_count < kMinFacets || facet_count > kMaxFacets || facet_count % 2 != 0) {
    return FieldError("facet_count", FormatValue(int64_t{facet_count}),
                      absl::StrCat("must be even and in [", kMinFacets, ", ", kMaxFacets, "]"));
  }
  ContactMlcpBuilder builder(problem);
  for (size_t block = 0; block < problem.block_count(); ++block) {
    const BlockLaw& law = problem.laws[block];
    if (law.kind == BlockLawKind::kBounds) {
      builder.AddBounds(block);
      continue;
    }
    const int32_t normal = builder.AddNormal(block);
    for (const FrictionPart& part : FrictionParts(law.cone)) {
      AddFacets(block, normal, part, facet_count, builder);
    }
  }
  return builder.Finish();
}

}  // namespace talus::lcp
