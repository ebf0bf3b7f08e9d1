// Rows of scenes: one cold step of a world by every solver of scenes under every law.
#pragma once

#include "tests/solver_table/tolerance_row.h"

namespace talus::solver_table {

void PrintSceneRows(int max_sweeps, Tally& tally);

}  // namespace talus::solver_table
