#include "tests/solver_table/tolerance_row.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <optional>

namespace talus::solver_table {
namespace {

constexpr std::array kTolerances = {1e-2, 1e-4, 1e-6, 1e-8};

const char* NameOf(ContactLaw law) {
  switch (law) {
    case ContactLaw::kNcp:
      return "NCP";
    case ContactLaw::kCcp:
      return "CCP";
    case ContactLaw::kBox:
      return "box";
    case ContactLaw::kPolygonal:
      return "polygonal";
    case ContactLaw::kBristle:
      return "bristle";
  }
  return "";
}

void PrintCell(const Attempt& attempt) {
  if (attempt.refused) {
    std::printf(" refused |");
  } else if (attempt.solved) {
    std::printf(" %d / %.3g |", attempt.sweeps, attempt.ms);
  } else {
    std::printf(" – (%.1e) |", attempt.residual);
  }
}

}  // namespace

Attempt MakeAttempt(const SolveReport& report, double ms) {
  return {.solved = report.outcome == SolveOutcome::kConverged,
          .sweeps = report.sweep_count,
          .residual = report.residual,
          .ms = ms};
}

void PrintHead(std::string_view title) {
  std::printf("### %.*s\n\n", static_cast<int>(title.size()), title.data());
  std::printf("| problem | contacts | law | solver | 1e-2 | 1e-4 | 1e-6 | 1e-8 |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
}

void PrintRow(const RowName& name, const std::function<Attempt(double tolerance)>& solve,
              bool ends_exactly) {
  std::printf("| %s | %zu | %s | %.*s |", name.problem.c_str(), name.contacts, NameOf(name.law),
              static_cast<int>(name.solver.size()), name.solver.data());
  std::optional<Attempt> last;
  for (const double tolerance : kTolerances) {
    if (last.has_value() && !last->solved) {
      std::printf(" – |");
      continue;
    }
    if (!last.has_value() || !ends_exactly || last->residual > tolerance) last = solve(tolerance);
    PrintCell(*last);
  }
  std::printf("\n");
  std::fflush(stdout);
}

double ProcessCpuMs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace talus::solver_table
