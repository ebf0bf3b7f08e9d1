#include "solver/matrix/matrix_problem.h"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"
#include "solver/matrix/finite_check.h"

namespace talus {
namespace {

absl::Status CheckSize(std::string_view field, Eigen::Index size, Eigen::Index expected) {
  if (size == expected) return absl::OkStatus();
  return FieldError(absl::StrCat(std::string(field), ".size"), FormatValue(int64_t{size}),
                    absl::StrCat("must be ", expected));
}

bool IsCoefficient(double value) {
  return value >= 0.0 && value <= std::numeric_limits<double>::max();
}

// Of contacts alone, block by block: where one contact is the whole problem, looking at each row
// for what may be wrong with it takes longer than to solve it. False says nothing.
bool IsSurelyValid(const MatrixProblem& problem) {
  const size_t count = problem.block_count();
  if (count > kMaxProblemBlocks || problem.free_rows.size() != problem.row_count() ||
      problem.compliance.size() != problem.row_count() || problem.delassus.block_count() != count) {
    return false;
  }
  // Of finite numbers alone each product is zero.
  Wrench rows = Wrench::Zero();
  Wrench least = Wrench::Zero();
  double blocks = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const FrictionCone& cone = problem.laws[i].cone;
    if (problem.laws[i].kind != BlockLawKind::kContact || !IsCoefficient(cone.sliding) ||
        !IsCoefficient(cone.spinning) || !IsCoefficient(cone.rolling) ||
        !(problem.delassus.Diagonal(i)(0, 0) > 0.0)) {
      return false;
    }
    const Wrench compliance = problem.compliance.segment<6>(6 * static_cast<Eigen::Index>(i));
    rows += 0.0 * compliance + 0.0 * problem.free_rows.segment<6>(6 * static_cast<Eigen::Index>(i));
    least = least.cwiseMin(compliance);
    for (const Matrix6& block : problem.delassus.Blocks(i)) blocks += (0.0 * block).sum();
  }
  return rows.sum() == 0.0 && least.minCoeff() >= 0.0 && blocks == 0.0 &&
         problem.delassus.Asymmetry() <= kAsymmetry;
}

absl::Status CheckContact(size_t block, const FrictionCone& cone, const Matrix6& diagonal) {
  for (const auto& [name, value] : {std::pair<const char*, double>{"mu", cone.sliding},
                                    {"sigma", cone.spinning},
                                    {"rho", cone.rolling}}) {
    if (IsCoefficient(value)) continue;
    return FieldError(absl::StrCat("blocks[", block, "].", name), FormatValue(value),
                      "must be finite and >= 0");
  }
  if (diagonal(0, 0) > 0.0) return absl::OkStatus();
  return FieldError(absl::StrCat("blocks[", block, "].W[0][0]"), FormatValue(diagonal(0, 0)),
                    "must be > 0");
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
  }
  return absl::OkStatus();
}

absl::Status Validate(const MatrixProblem& problem) {
  if (IsSurelyValid(problem)) return absl::OkStatus();
  if (problem.block_count() > kMaxProblemBlocks) {
    return FieldError("size(blocks)", FormatValue(uint64_t{problem.block_count()}),
                      absl::StrCat("must be <= ", kMaxProblemBlocks),
                      absl::StatusCode::kResourceExhausted);
  }
  const Eigen::Index rows = problem.row_count();
  for (const auto& [field, values] :
       {std::pair<std::string_view, const Eigen::VectorXd*>{"q", &problem.free_rows},
        {"compliance", &problem.compliance}}) {
    TALUS_RETURN_IF_ERROR(CheckSize(field, values->size(), rows));
    TALUS_RETURN_IF_ERROR(CheckFinite(field, *values));
  }
  for (Eigen::Index i = 0; i < rows; ++i) {
    if (problem.compliance[i] >= 0.0) continue;
    return FieldError(absl::StrCat("compliance[", i, "]"), FormatValue(problem.compliance[i]),
                      "must be >= 0");
  }
  TALUS_RETURN_IF_ERROR(
      CheckSize("W", static_cast<Eigen::Index>(6 * problem.delassus.block_count()), rows));
  TALUS_RETURN_IF_ERROR(CheckFinite("W", problem.delassus));
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
  return absl::OkStatus();
}

Eigen::VectorXd ComputeVelocity(const MatrixProblem& problem, const Eigen::VectorXd& impulse) {
  return problem.delassus.Multiply(impulse) + problem.compliance.cwiseProduct(impulse) +
         problem.free_rows;
}

}  // namespace talus
