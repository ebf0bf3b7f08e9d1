#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/scene/field_checks.h"
#include "solver/scene/validate.h"

namespace talus {
namespace {

// By enumerator, as the wire schema names them.
constexpr const char* kLawNames[] = {"NCP", "CCP", "BOX", "POLYGONAL", "BRISTLE"};

constexpr SolverKind kNcpSolvers[] = {SolverKind::kAlartCurnier, SolverKind::kNewton,
                                      SolverKind::kFixedPoint, SolverKind::kExtragradient,
                                      SolverKind::kNsgs};
constexpr SolverKind kCcpSolvers[] = {SolverKind::kAcceleratedPsor,
                                      SolverKind::kPsor,
                                      SolverKind::kApgd,
                                      SolverKind::kNewton,
                                      SolverKind::kFixedPoint,
                                      SolverKind::kExtragradient,
                                      SolverKind::kNsgs,
                                      SolverKind::kBarzilaiBorwein,
                                      SolverKind::kAdmm};
constexpr SolverKind kFlatSolvers[] = {SolverKind::kBlockPivoting, SolverKind::kLemke};

std::span<const SolverKind> SolversOf(ContactLaw law) {
  if (HasFlatSides(law)) return kFlatSolvers;
  if (law == ContactLaw::kNcp) return kNcpSolvers;
  return kCcpSolvers;
}

// `A, B or C`.
template <typename Names>
std::string ListOf(const Names& names) {
  std::string list;
  for (size_t i = 0; i < std::size(names); ++i) {
    if (i > 0) list += i + 1 == std::size(names) ? " or " : ", ";
    list += names[i];
  }
  return list;
}

// Sweeps of contacts do not know joints.
bool HoldsJoints(SolverKind solver) {
  return solver == SolverKind::kNewton || IsMatrixSolver(solver);
}

// But for the default.
std::vector<SolverKind> AllSolvers() {
  std::vector<SolverKind> solvers;
  for (size_t i = 1; i < kSolverKindCount; ++i) solvers.push_back(static_cast<SolverKind>(i));
  return solvers;
}

std::string NamesOf(std::span<const SolverKind> solvers) {
  std::vector<std::string> names;
  for (const SolverKind solver : solvers) names.push_back(NameOf(solver));
  return ListOf(names);
}

absl::Status ValidatePsorOf(const FieldPath& path, const SolverSettings& solver) {
  const std::string psor = FieldPath(path, "psor").ToString();
  if (solver.solver == SolverKind::kPsor) return ValidatePsor(psor, solver.psor);
  if (solver.psor == PsorSettings{}) return absl::OkStatus();
  return FieldError(psor, "given", "must be left out unless the solver is PSOR");
}

absl::Status ValidateLawSettings(const FieldPath& path, const SolverSettings& solver) {
  const FieldPath facets(path, "facet_count");
  TALUS_RETURN_IF_ERROR(
      CheckRange(facets, int64_t{solver.facet_count}, int64_t{kMinFacets}, int64_t{kMaxFacets}));
  if (solver.facet_count % 2 != 0) {
    return FieldError(facets.ToString(), FormatValue(int64_t{solver.facet_count}), "must be even");
  }
  TALUS_RETURN_IF_ERROR(CheckPositive(FieldPath(path, "bristle_stiffness_n_m"),
                                      solver.bristle_stiffness_n_m, kMinStiffnessNM,
                                      kMaxStiffnessNM));
  TALUS_RETURN_IF_ERROR(CheckPositive(FieldPath(path, "slip_threshold_m_s"),
                                      solver.slip_threshold_m_s, std::numeric_limits<double>::min(),
                                      kMaxSpeedMS));
  if (solver.law != ContactLaw::kBristle || solver.warm_start) return absl::OkStatus();
  return FieldError(FieldPath(path, "warm_start").ToString(), "false",
                    "must be true when the law is BRISTLE, whose memory it is");
}

}  // namespace

absl::Status ValidateSolver(const SolverSettings& solver) {
  const FieldPath settings("settings");
  const FieldPath path(settings, "solver");
  if (static_cast<size_t>(solver.law) >= std::size(kLawNames)) {
    return FieldError(FieldPath(path, "law").ToString(),
                      FormatValue(static_cast<int64_t>(solver.law)),
                      "must be " + ListOf(kLawNames));
  }
  const FieldPath kind(path, "solver");
  if (static_cast<size_t>(solver.solver) >= kSolverKindCount) {
    return FieldError(kind.ToString(), NameOf(solver.solver), "must be " + NamesOf(AllSolvers()));
  }
  const std::span<const SolverKind> solvers = SolversOf(solver.law);
  if (solver.solver != SolverKind::kLawDefault &&
      std::ranges::find(solvers, solver.solver) == solvers.end()) {
    return FieldError(kind.ToString(), NameOf(solver.solver),
                      "must be " + NamesOf(solvers) + " when the law is " +
                          kLawNames[static_cast<size_t>(solver.law)]);
  }
  TALUS_RETURN_IF_ERROR(
      CheckRange(FieldPath(path, "tolerance"), solver.tolerance, kMinTolerance, kMaxTolerance));
  TALUS_RETURN_IF_ERROR(CheckRange(FieldPath(path, "max_sweeps"), int64_t{solver.max_sweeps}, 1,
                                   int64_t{kMaxSweeps}));
  TALUS_RETURN_IF_ERROR(ValidatePsorOf(path, solver));
  return ValidateLawSettings(path, solver);
}

absl::Status ValidateJointSolver(const SolverSettings& solver) {
  TALUS_RETURN_IF_ERROR(ValidateSolver(solver));
  if (HasFlatSides(solver.law) || HoldsJoints(ResolveSolver(solver, true))) {
    return absl::OkStatus();
  }
  std::vector<SolverKind> holders;
  std::ranges::copy_if(SolversOf(solver.law), std::back_inserter(holders), HoldsJoints);
  return FieldError("settings.solver.solver", NameOf(solver.solver),
                    "must be " + NamesOf(holders) + ", or unspecified, in a scene with joints");
}

absl::Status ValidateElasticSolver(const SolverSettings& solver) {
  TALUS_RETURN_IF_ERROR(ValidateSolver(solver));
  if (!HasFlatSides(solver.law)) return absl::OkStatus();
  return FieldError("settings.solver.law", kLawNames[static_cast<size_t>(solver.law)],
                    "must be NCP or CCP in a scene with elastic materials");
}

}  // namespace talus
