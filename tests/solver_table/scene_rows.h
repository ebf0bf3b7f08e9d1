// Rows of scenes: one cold step of a world by every solver of scenes under every law.
#pragma once

namespace talus::solver_table {

void PrintSceneRows(int max_sweeps);

}  // namespace talus::solver_table
