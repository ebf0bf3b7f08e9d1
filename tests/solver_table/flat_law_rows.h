// Rows of a bare problem under the laws with flat sides, by pivoting.
#pragma once

#include <cstddef>
#include <string>

#include "solver/matrix/matrix_problem.h"
#include "tests/solver_table/tolerance_row.h"

namespace talus::solver_table {

// Bristles begin unbent. The residual is that of the law's own rows (lcp/mlcp.h).
void PrintFlatLawRows(const MatrixProblem& problem, const std::string& name, size_t contacts,
                      int max_pivots, Tally& tally);

}  // namespace talus::solver_table
