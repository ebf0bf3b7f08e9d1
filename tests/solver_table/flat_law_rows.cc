#include "tests/solver_table/flat_law_rows.h"

#include "solver/base/check.h"
#include "solver/lcp/block_pivoting.h"
#include "solver/lcp/box_law.h"
#include "solver/lcp/bristle_law.h"
#include "solver/lcp/polygonal_law.h"
#include "tests/bench/bench_world.h"
#include "tests/solver_table/tolerance_row.h"

namespace talus::solver_table {
namespace {

absl::StatusOr<lcp::ContactMlcp> AssembleLaw(const MatrixProblem& problem, ContactLaw law) {
  if (law == ContactLaw::kBox) return lcp::AssembleBoxLaw(problem);
  if (law == ContactLaw::kPolygonal) {
    return lcp::AssemblePolygonalLaw(problem, SolverSettings().facet_count);
  }
  return lcp::AssembleBristleLaw(problem, {}, Eigen::VectorXd::Zero(problem.row_count()));
}

// Assembly included, as solvers of the other laws scale the problem in theirs.
Attempt Solve(const MatrixProblem& problem, ContactLaw law, const lcp::PivotLimits& limits) {
  const double begin = ProcessCpuMs();
  const auto contact = AssembleLaw(problem, law);
  TALUS_CHECK(contact.ok());
  const auto answer = lcp::SolveByPivoting(contact->mlcp, limits);
  TALUS_CHECK(answer.ok());
  return {.solved = answer->report.residual <= limits.tolerance,
          .sweeps = answer->report.pivot_count(),
          .residual = answer->report.residual,
          .ms = ProcessCpuMs() - begin};
}

}  // namespace

void PrintFlatLawRows(const MatrixProblem& problem, const std::string& name, size_t contacts,
                      int max_pivots) {
  for (const ContactLaw law : {ContactLaw::kBox, ContactLaw::kPolygonal, ContactLaw::kBristle}) {
    for (const auto method : {lcp::PivotMethod::kBlocksFirst, lcp::PivotMethod::kLemkeAlone}) {
      const SolverKind kind = method == lcp::PivotMethod::kBlocksFirst ? SolverKind::kBlockPivoting
                                                                       : SolverKind::kLemke;
      PrintRow(
          {name, contacts, law, bench::SolverName(law, kind)},
          [&](double tolerance) {
            return Solve(problem, law,
                         {.tolerance = tolerance, .max_pivots = max_pivots, .method = method});
          },
          /*ends_exactly=*/true);
    }
  }
}

}  // namespace talus::solver_table
