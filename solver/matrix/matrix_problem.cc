#include "solver/matrix/matrix_problem.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/limits.h"
#include "solver/base/status.h"

namespace talus {
namespace {

constexpr double kAsymmetry = 1e-9;

absl::Status CheckSize(std::string_view field, Eigen::Index size, Eigen::Index expected) {
  if (size == expected) return absl::OkStatus();
  return FieldError(absl::StrCat(std::string(field), ".size"), FormatValue(int64_t{size}),
                    absl::StrCat("must be ", expected));
}

absl::Status CheckFinite(std::string_view field, const Eigen::VectorXd& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    return FieldError(absl::StrCat(std::string(field), "[", i, "]"), FormatValue(values[i]),
                      "must be finite");
  }
  return absl::OkStatus();
}

absl::Status CheckBounds(size_t block, const BlockLaw& law) {
  for (int row = 0; row < 6; ++row) {
    if (law.lower[row] <= law.upper[row]) continue;
    return FieldError(absl::StrCat("blocks[", block, "].lower[", row, "]"),
                      FormatValue(law.lower[row]),
                      absl::StrCat("must be <= upper, ", FormatValue(law.upper[row])));
  }
  return absl::OkStatus();
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
  const double asymmetry = problem.delassus.Asymmetry();
  if (!(asymmetry <= kAsymmetry)) {
    return FieldError("W", FormatValue(asymmetry),
                      absl::StrCat("must differ from its transpose by at most ", kAsymmetry,
                                   " of its largest entry"));
  }
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const BlockLaw& law = problem.laws[i];
    TALUS_RETURN_IF_ERROR(law.kind == BlockLawKind::kBounds
                              ? CheckBounds(i, law)
                              : CheckContact(i, law.cone, problem.delassus.Diagonal(i)));
  }
  return absl::OkStatus();
}

Eigen::VectorXd ComputeVelocity(const MatrixProblem& problem, const Eigen::VectorXd& impulse) {
  return problem.delassus.Multiply(impulse) + problem.compliance.cwiseProduct(impulse) +
         problem.free_rows;
}

}  // namespace talus
