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

constexpr double kAsymmetry = 1e-9;

absl::Status CheckSize(std::string_view field, Eigen::Index size, Eigen::Index expected) {
  if (size == expected) return absl::OkStatus();
  return FieldError(absl::StrCat(std::string(field), ".size"), FormatValue(int64_t{size}),
                    absl::StrCat("must be ", expected));
}

absl::Status CheckContact(size_t block, const FrictionCone& cone, const Matrix6& diagonal) {
  for (const auto& [name, value] : {std::pair<const char*, double>{"mu", cone.sliding},
                                    {"sigma", cone.spinning},
                                    {"rho", cone.rolling}}) {
    if (value >= 0.0 && std::isfinite(value)) continue;
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
