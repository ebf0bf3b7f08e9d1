#include "solver/scene/solver_settings.h"

#include <iterator>

#include "solver/base/field_error.h"

namespace talus {
namespace {

// By enumerator, as the wire schema names them.
constexpr const char* kSolverNames[] = {"the default",
                                        "ALART_CURNIER",
                                        "ACCELERATED_PSOR",
                                        "PSOR",
                                        "APGD",
                                        "NEWTON",
                                        "BLOCK_PIVOTING",
                                        "LEMKE",
                                        "FIXED_POINT",
                                        "EXTRAGRADIENT",
                                        "NSGS",
                                        "BARZILAI_BORWEIN",
                                        "ADMM"};
static_assert(std::size(kSolverNames) == kSolverKindCount);

}  // namespace

std::string NameOf(SolverKind solver) {
  const auto index = static_cast<size_t>(solver);
  return index < kSolverKindCount ? kSolverNames[index] : FormatValue(uint64_t{index});
}

SolverKind ResolveSolver(const SolverSettings& settings, bool has_joints) {
  if (settings.solver != SolverKind::kLawDefault) return settings.solver;
  if (HasFlatSides(settings.law)) return SolverKind::kBlockPivoting;
  if (has_joints) return SolverKind::kNewton;
  return settings.law == ContactLaw::kNcp ? SolverKind::kAlartCurnier
                                          : SolverKind::kAcceleratedPsor;
}

}  // namespace talus
