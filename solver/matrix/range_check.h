// Refusals of numbers that are not finite or beyond their range (base/limits.h): INVALID_ARGUMENT
// naming the place, as `q[3]`, `H[0][17]` or `W[6][0]` (row, column), the number and what it may
// be.
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "absl/status/status.h"
#include "solver/matrix/block_matrix.h"
#include "solver/matrix/matrix_problem.h"

namespace talus {

// Whether no magnitude is larger; NaN is.
template <typename Values>
bool AreWithin(const Values& values, double most) {
  return (values.array().abs() <= most).all();
}

// The same in a fraction of the time. False says nothing: the sum of magnitudes is larger, or NaN.
template <typename Values>
bool AreSurelyWithin(const Values& values, double most) {
  return values.array().abs().sum() <= most;
}

// Each magnitude may be `most`.
absl::Status CheckRange(std::string_view place, double value, double most);
absl::Status CheckRange(std::string_view field, const Eigen::VectorXd& values, double most);
absl::Status CheckRange(std::string_view field, const SparseMatrix& values, double most);
absl::Status CheckRange(std::string_view field, const BlockMatrix& values, double most);

// Coefficients of friction: from 0 to kMaxFriction.
bool IsCoefficient(double value);
absl::Status CheckCoefficient(std::string_view place, double value);

}  // namespace talus
