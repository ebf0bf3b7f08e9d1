#include "tests/solver_table/tolerance_row.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>

namespace talus::solver_table {
namespace {

constexpr std::array kTolerances = {1e-2, 1e-4, 1e-6, 1e-8};

const char* LawName(ContactLaw law) {
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

// No impulses have a residual of 1 (NOTATION §5), here with what round-off adds.
constexpr double kNoImpulses = 1.0 + 1e-9;

void JudgeAttempt(const RowName& name, const Attempt& attempt, double tolerance, Tally& tally) {
  if (attempt.refused) return;
  // Written so that a NaN is a fault, too.
  if (!(attempt.residual >= 0.0 && attempt.residual <= kNoImpulses)) {
    AddFault(name, "its residual is above that of no impulses", tally);
  } else if (attempt.solved() && attempt.residual > tolerance) {
    AddFault(name, "its residual is above the one it is said to have reached", tally);
  }
}

void PrintCell(const Attempt& attempt) {
  if (attempt.refused) {
    std::printf(" refused |");
  } else if (attempt.solved()) {
    std::printf(" %d / %.3g |", attempt.sweeps, attempt.ms);
  } else {
    std::printf(" – (%.1e, %s at %d) |", attempt.residual, NameOf(attempt.outcome), attempt.sweeps);
  }
}

}  // namespace

const char* NameOf(SolveOutcome outcome) {
  switch (outcome) {
    case SolveOutcome::kNone:
      return "none";
    case SolveOutcome::kConverged:
      return "converged";
    case SolveOutcome::kSweepLimit:
      return "limit";
    case SolveOutcome::kStalled:
      return "stalled";
    case SolveOutcome::kRay:
      return "ray";
    case SolveOutcome::kSingular:
      return "singular";
    case SolveOutcome::kTooLarge:
      return "too large";
  }
  return "";
}

void PrintHead(std::string_view title) {
  std::printf("### %.*s\n\n", static_cast<int>(title.size()), title.data());
  std::printf("| problem | contacts | law | solver | 1e-2 | 1e-4 | 1e-6 | 1e-8 |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
}

void PrintAbsentLaws(std::string_view solver, const std::function<bool(ContactLaw law)>& solves) {
  std::string solved;
  std::string absent;
  for (const ContactLaw law : kLaws) {
    std::string& names = solves(law) ? solved : absent;
    names += (names.empty() ? "" : ", ") + std::string(LawName(law));
  }
  if (absent.empty()) return;
  std::printf("- %.*s: none under %s; solves %s only\n", static_cast<int>(solver.size()),
              solver.data(), absent.c_str(), solved.c_str());
}

void AddFault(const RowName& name, const char* what, Tally& tally) {
  std::fprintf(stderr, "FAILED %s, %s, %.*s: %s\n", name.problem.c_str(), LawName(name.law),
               static_cast<int>(name.solver.size()), name.solver.data(), what);
  ++tally.faults;
}

int PrintRow(const RowName& name, const std::function<Attempt(double tolerance)>& solve,
             Tally& tally, bool ends_exactly) {
  int reached = 0;
  std::printf("| %s | %zu | %s | %.*s |", name.problem.c_str(), name.contacts, LawName(name.law),
              static_cast<int>(name.solver.size()), name.solver.data());
  std::optional<Attempt> last;
  for (const double tolerance : kTolerances) {
    if (last.has_value() && !last->solved()) {
      std::printf(" – |");
      continue;
    }
    if (!last.has_value() || !ends_exactly || last->residual > tolerance) last = solve(tolerance);
    PrintCell(*last);
    JudgeAttempt(name, *last, tolerance, tally);
    if (last->solved()) ++reached;
  }
  std::printf("\n");
  std::fflush(stdout);
  ++tally.rows;
  return reached;
}

double ProcessCpuMs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace talus::solver_table
