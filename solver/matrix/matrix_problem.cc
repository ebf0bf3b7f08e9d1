#include "solver/matrix/matrix_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/mobility.h"
#include "solver/matrix/range_check.h"
#include "solver/matrix/velocity_form.h"

namespace talus {
namespace {

absl::Status CheckSize(std::string_view field, Eigen::Index size, Eigen::Index expected) {
  if (size == expected) return absl::OkStatus();
  return FieldError(absl::StrCat(std::string(field), ".size"), FormatValue(int64_t{size}),
                    absl::StrCat("must be ", expected));
}

// Of a row's compliance.
bool IsCompliance(double value) {
  return value == 0.0 || (value >= kMinDiagonal && value <= kMaxRowCompliance);
}

bool AreCompliances(const Wrench& values) { return std::ranges::all_of(values, IsCompliance); }

// Of contacts alone, block by block: where one contact is the whole problem, looking at each row
// for what may be wrong with it takes longer than to solve it. False says nothing.
bool IsSurelyValid(const MatrixProblem& problem) {
  const size_t count = problem.block_count();
  if (count > kMaxProblemBlocks || problem.free_rows.size() != problem.row_count() ||
      problem.compliance.size() != problem.row_count() || problem.delassus.block_count() != count) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    const FrictionCone& cone = problem.laws[i].cone;
    if (problem.laws[i].kind != BlockLawKind::kContact || !IsCoefficient(cone.sliding) ||
        !IsCoefficient(cone.spinning) || !IsCoefficient(cone.rolling) ||
        !(problem.delassus.Diagonal(i)(0, 0) > 0.0) || !HasSureMobility(problem.delassus, i) ||
        !AreSurelyWithin(problem.free_rows.segment<6>(FirstRow(i)), kMaxProblemSpeed)) {
      return false;
    }
    const Wrench compliance = problem.compliance.segment<6>(FirstRow(i));
    if (compliance != Wrench::Zero() && !AreCompliances(compliance)) return false;
    for (const Matrix6& block : problem.delassus.Blocks(i)) {
      if (!AreSurelyWithin(block, kMaxMobility)) return false;
    }
  }
  return problem.delassus.IsSurelySymmetric(kAsymmetry);
}

absl::Status CheckContact(size_t block, const FrictionCone& cone, const Matrix6& diagonal) {
  for (const auto& [name, value] : {std::pair<const char*, double>{"mu", cone.sliding},
                                    {"sigma", cone.spinning},
                                    {"rho", cone.rolling}}) {
    TALUS_RETURN_IF_ERROR(CheckCoefficient(absl::StrCat("blocks[", block, "].", name), value));
  }
  if (diagonal(0, 0) > 0.0) return absl::OkStatus();
  return FieldError(absl::StrCat("W[", 6 * block, "][", 6 * block, "]"),
                    FormatValue(diagonal(0, 0)), "must be > 0");
}

absl::Status CheckCompliance(const Eigen::VectorXd& compliance) {
  for (Eigen::Index i = 0; i < compliance.size(); ++i) {
    if (IsCompliance(compliance[i])) continue;
    return FieldError(
        absl::StrCat("compliance[", i, "]"), FormatValue(compliance[i]),
        absl::StrCat("must be 0 or in [", kMinDiagonal, ", ", kMaxRowCompliance, "]"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckBounds(std::string_view path, const BlockLaw& law) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto refuse = [path](const char* side, int row, double value, std::string_view allowed) {
    return FieldError(absl::StrCat(std::string(path), ".", side, "[", row, "]"), FormatValue(value),
                      allowed);
  };
  for (int row = 0; row < 6; ++row) {
    const double lower = law.lower[row];
    const double upper = law.upper[row];
    if (!(lower <= upper)) {
      return refuse("lower", row, lower, absl::StrCat("must be <= upper, ", FormatValue(upper)));
    }
    // No impulse lies between two bounds at the same infinity.
    if (lower == kInfinity) return refuse("lower", row, lower, "must be < inf");
    if (upper == -kInfinity) return refuse("upper", row, upper, "must be > -inf");
    for (const auto& [side, value] :
         {std::pair<const char*, double>{"lower", lower}, {"upper", upper}}) {
      if (std::isinf(value) || std::abs(value) <= kMaxProblemImpulse) continue;
      return refuse(side, row, value,
                    absl::StrCat("must be in [", -kMaxProblemImpulse, ", ", kMaxProblemImpulse,
                                 "] or infinite"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckBlockCount(size_t count) {
  if (count <= kMaxProblemBlocks) return absl::OkStatus();
  return FieldError("size(blocks)", FormatValue(uint64_t{count}),
                    absl::StrCat("must be <= ", kMaxProblemBlocks),
                    absl::StatusCode::kResourceExhausted);
}

absl::Status CheckDelassusCount(size_t count) {
  if (count <= kMaxDelassusBlocks) return absl::OkStatus();
  return FieldError("W", absl::StrCat(count, " blocks"),
                    absl::StrCat("must have at most ", kMaxDelassusBlocks),
                    absl::StatusCode::kResourceExhausted);
}

absl::Status ValidateNumbers(const MatrixProblem& problem) {
  if (IsSurelyValid(problem)) return absl::OkStatus();
  TALUS_RETURN_IF_ERROR(CheckBlockCount(problem.block_count()));
  const Eigen::Index rows = problem.row_count();
  TALUS_RETURN_IF_ERROR(CheckSize("q", problem.free_rows.size(), rows));
  TALUS_RETURN_IF_ERROR(CheckRange("q", problem.free_rows, kMaxProblemSpeed));
  TALUS_RETURN_IF_ERROR(CheckSize("compliance", problem.compliance.size(), rows));
  TALUS_RETURN_IF_ERROR(CheckCompliance(problem.compliance));
  TALUS_RETURN_IF_ERROR(
      CheckSize("W", static_cast<Eigen::Index>(6 * problem.delassus.block_count()), rows));
  TALUS_RETURN_IF_ERROR(CheckRange("W", problem.delassus, kMaxMobility));
  const double asymmetry = problem.delassus.Asymmetry();
  if (!(asymmetry <= kAsymmetry)) {
    return FieldError("W", FormatValue(asymmetry),
                      absl::StrCat("must differ from its transpose by at most ", kAsymmetry,
                                   " of its largest entry"));
  }
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const BlockLaw& law = problem.laws[i];
    TALUS_RETURN_IF_ERROR(law.kind == BlockLawKind::kBounds
                              ? CheckBounds(absl::StrCat("blocks[", i, "]"), law)
                              : CheckContact(i, law.cone, problem.delassus.Diagonal(i)));
  }
  return CheckMobility(problem.delassus);
}

absl::Status Validate(const MatrixProblem& problem) {
  if (problem.velocities) {
    TALUS_RETURN_IF_ERROR(CheckVelocities(*problem.velocities, problem.row_count()));
  }
  TALUS_RETURN_IF_ERROR(ValidateNumbers(problem));
  return CheckSemidefinite(problem.delassus);
}

Eigen::VectorXd ComputeVelocity(const MatrixProblem& problem, const Eigen::VectorXd& impulse) {
  return problem.delassus.Multiply(impulse) + problem.compliance.cwiseProduct(impulse) +
         problem.free_rows;
}

}  // namespace talus
