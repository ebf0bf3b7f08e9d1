// Rows of bare problems: every solver of them under every law that it knows.
#pragma once

#include "tests/solver_table/tolerance_row.h"

namespace talus::solver_table {

// `max_sweeps`, a pivot being one.
void PrintMatrixRows(int max_sweeps, Tally& tally);

}  // namespace talus::solver_table
