#include "solver/lcp/mlcp.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::lcp {
namespace {

std::string Indexed(std::string_view field, Eigen::Index row) {
  return absl::StrCat(std::string(field), "[", row, "]");
}

absl::Status CheckSizes(const Mlcp& problem) {
  const Eigen::Index rows = problem.row_count();
  for (const auto& [field, size] :
       {std::tuple<const char*, Eigen::Index>{"A.rows", problem.matrix.rows()},
        {"A.columns", problem.matrix.cols()},
        {"lower.size", problem.lower.size()},
        {"upper.size", problem.upper.size()},
        {"coupled_to.size", static_cast<Eigen::Index>(problem.coupled_to.size())}}) {
    if (size == rows) continue;
    return FieldError(field, FormatValue(int64_t{size}), absl::StrCat("must be ", rows));
  }
  return absl::OkStatus();
}

absl::Status CheckCoupling(const Mlcp& problem, Eigen::Index row) {
  const int32_t to = problem.coupled_to[static_cast<size_t>(row)];
  if (to == kUncoupled) return absl::OkStatus();
  if (to < 0 || to >= problem.row_count() || problem.IsCoupled(to) || problem.lower[to] != 0.0 ||
      !std::isinf(problem.upper[to])) {
    return FieldError(Indexed("coupled_to", row), FormatValue(int64_t{to}),
                      "must be -1 or an uncoupled row with the bounds 0 and inf");
  }
  if (problem.lower[row] == -problem.upper[row] && std::isfinite(problem.upper[row])) {
    return absl::OkStatus();
  }
  return FieldError(Indexed("lower", row), FormatValue(problem.lower[row]),
                    "must be finite and -upper in a coupled row");
}

}  // namespace

double Mlcp::LowerBound(Eigen::Index row, const Eigen::VectorXd& z) const {
  const int32_t to = coupled_to[static_cast<size_t>(row)];
  return to == kUncoupled ? lower[row] : lower[row] * std::max(z[to], 0.0);
}

double Mlcp::UpperBound(Eigen::Index row, const Eigen::VectorXd& z) const {
  const int32_t to = coupled_to[static_cast<size_t>(row)];
  return to == kUncoupled ? upper[row] : upper[row] * std::max(z[to], 0.0);
}

absl::Status Validate(const Mlcp& problem) {
  TALUS_RETURN_IF_ERROR(CheckSizes(problem));
  for (Eigen::Index column = 0; column < problem.matrix.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(problem.matrix, column); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      return FieldError(absl::StrCat("A[", entry.row(), "][", column, "]"),
                        FormatValue(entry.value()), "must be finite");
    }
  }
  for (Eigen::Index i = 0; i < problem.row_count(); ++i) {
    if (!std::isfinite(problem.offset[i])) {
      return FieldError(Indexed("b", i), FormatValue(problem.offset[i]), "must be finite");
    }
    // Also refuses what is not a number, and a lower bound of +∞ or an upper one of −∞.
    if (!(problem.lower[i] <= problem.upper[i]) ||
        (std::isinf(problem.lower[i]) && problem.lower[i] > 0.0) ||
        (std::isinf(problem.upper[i]) && problem.upper[i] < 0.0)) {
      return FieldError(Indexed("lower", i), FormatValue(problem.lower[i]),
                        absl::StrCat("must be < inf and <= upper, ", FormatValue(problem.upper[i]),
                                     ", which must be > -inf"));
    }
    TALUS_RETURN_IF_ERROR(CheckCoupling(problem, i));
  }
  return absl::OkStatus();
}

ScaledMlcp ScaleMlcp(const Mlcp& problem) {
  ScaledMlcp scaled{problem, Eigen::VectorXd::Ones(problem.row_count())};
  const Eigen::VectorXd diagonal = problem.matrix.diagonal();
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    if (diagonal[i] > 0.0) scaled.steps[i] = 1.0 / std::sqrt(diagonal[i]);
  }
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(problem.row_count());
  for (Eigen::Index column = 0; column < problem.matrix.outerSize(); ++column) {
    if (!(diagonal[column] > 0.0)) continue;
    for (SparseMatrix::InnerIterator entry(problem.matrix, column); entry; ++entry) {
      double& row = largest[entry.row()];
      row = std::max(row, std::abs(entry.value()) * scaled.steps[column]);
    }
  }
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    if (!(diagonal[i] > 0.0) && largest[i] > 0.0) scaled.steps[i] = 1.0 / largest[i];
  }
  Mlcp& result = scaled.problem;
  result.matrix = scaled.steps.asDiagonal() * problem.matrix * scaled.steps.asDiagonal();
  result.offset = problem.offset.cwiseProduct(scaled.steps);
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    const int32_t to = problem.coupled_to[static_cast<size_t>(i)];
    const double ratio = (to == kUncoupled ? 1.0 : scaled.steps[to]) / scaled.steps[i];
    result.lower[i] *= ratio;
    result.upper[i] *= ratio;
  }
  return scaled;
}

Eigen::VectorXd ClampToBounds(const Mlcp& problem, Eigen::VectorXd z) {
  for (const bool coupled : {false, true}) {
    for (Eigen::Index i = 0; i < z.size(); ++i) {
      if (problem.IsCoupled(i) != coupled) continue;
      z[i] = std::clamp(z[i], problem.LowerBound(i, z), problem.UpperBound(i, z));
    }
  }
  return z;
}

Eigen::VectorXd FindViolation(const Mlcp& problem, const Eigen::VectorXd& z) {
  const Eigen::VectorXd w = problem.matrix * z + problem.offset;
  Eigen::VectorXd violation(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    const double lower = problem.LowerBound(i, z);
    const double upper = std::max(lower, problem.UpperBound(i, z));
    violation[i] = z[i] - std::clamp(z[i] - w[i], lower, upper);
  }
  return violation;
}

double ComputeResidual(const Mlcp& problem, const Eigen::VectorXd& z) {
  const double at_zero = FindViolation(problem, Eigen::VectorXd::Zero(z.size())).norm();
  return FindViolation(problem, z).norm() / (at_zero > 0.0 ? at_zero : 1.0);
}

}  // namespace talus::lcp
