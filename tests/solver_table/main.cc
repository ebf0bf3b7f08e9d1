// Every solver on every law and class of problems: iterations and time to residuals of 1e-2, 1e-4,
// 1e-6 and 1e-8 from a cold start, failures shown. Writes Markdown. Exit code 1, with a line on
// stderr, where rows are not as many as expected or one has what none may have.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/solver_table/matrix_rows.h"
#include "tests/solver_table/scene_rows.h"

namespace {

constexpr int kRows = 621;  // 21 bare problems by 21 solvers and laws, 9 scenes by 20

}  // namespace

int main(int argc, char** argv) {
  const int max_sweeps = argc == 3 && std::strcmp(argv[1], "--sweeps") == 0 ? std::atoi(argv[2])
                         : argc == 1                                        ? 5000
                                                                            : 0;
  if (max_sweeps < 1 || max_sweeps > 1000000) {
    std::fprintf(stderr, "usage: %s [--sweeps N]     N in [1, 1000000]\n", argv[0]);
    return 2;
  }
  talus::solver_table::Tally tally;
  talus::solver_table::PrintMatrixRows(max_sweeps, tally);
  std::printf("\n");
  talus::solver_table::PrintSceneRows(max_sweeps, tally);
  if (tally.rows != kRows) std::fprintf(stderr, "FAILED: %d rows, not %d\n", tally.rows, kRows);
  return tally.rows == kRows && tally.faults == 0 ? 0 : 1;
}
