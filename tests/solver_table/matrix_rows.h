// Rows of bare problems: every solver of them under every law that it knows.
#pragma once

namespace talus::solver_table {

// `max_sweeps`, a pivot being one.
void PrintMatrixRows(int max_sweeps);

}  // namespace talus::solver_table
