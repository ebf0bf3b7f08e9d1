// Refusals of numbers that are not finite: INVALID_ARGUMENT naming the place, as `q[3]`,
// `H[0][17]` or `W[6][0]` (row, column).
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "absl/status/status.h"
#include "solver/matrix/block_matrix.h"
#include "solver/matrix/matrix_problem.h"

namespace talus {

absl::Status CheckFinite(std::string_view field, const Eigen::VectorXd& values);
absl::Status CheckFinite(std::string_view field, const SparseMatrix& values);
absl::Status CheckFinite(std::string_view field, const BlockMatrix& values);

}  // namespace talus
