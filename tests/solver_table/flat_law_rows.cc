#include "tests/solver_table/flat_law_rows.h"

#include "solver/base/check.h"
#include "solver/lcp/flat_problem.h"
#include "tests/bench/bench_world.h"

namespace talus::solver_table {
namespace {

Attempt Solve(const MatrixProblem& problem, const lcp::FlatProblemSettings& settings) {
  const double begin = ProcessCpuMs();
  const auto solution = lcp::SolveFlatProblem(problem, settings);
  const double ms = ProcessCpuMs() - begin;
  if (!solution.ok()) {
    TALUS_CHECK(solution.status().code() == absl::StatusCode::kResourceExhausted);
    return {.refused = true};
  }
  const SolveReport& report = solution->report;
  return {.outcome = report.outcome,
          .sweeps = report.sweep_count,
          .residual = report.residual,
          .ms = ms};
}

}  // namespace

void PrintFlatLawRows(const MatrixProblem& problem, const std::string& name, size_t contacts,
                      int max_pivots, Tally& tally) {
  for (const ContactLaw law : {ContactLaw::kBox, ContactLaw::kPolygonal, ContactLaw::kBristle}) {
    for (const auto method : {lcp::PivotMethod::kBlocksFirst, lcp::PivotMethod::kLemkeAlone}) {
      const SolverKind kind = method == lcp::PivotMethod::kBlocksFirst ? SolverKind::kBlockPivoting
                                                                       : SolverKind::kLemke;
      PrintRow(
          {name, contacts, law, bench::SolverName(law, kind)},
          [&](double tolerance) {
            return Solve(problem, {.law = {.law = law},
                                   .method = method,
                                   .tolerance = tolerance,
                                   .max_pivots = max_pivots});
          },
          tally, /*ends_exactly=*/true);
    }
  }
}

}  // namespace talus::solver_table
