// A row of the table: one solver on one problem under one law, from a cold start to each of four
// residuals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "solver/scene/solver_settings.h"
#include "solver/solvers/solve_report.h"

namespace talus::solver_table {

inline constexpr std::array kLaws = {ContactLaw::kNcp, ContactLaw::kCcp, ContactLaw::kBox,
                                     ContactLaw::kPolygonal, ContactLaw::kBristle};

struct RowName {
  std::string problem;
  size_t contacts = 0;
  ContactLaw law = ContactLaw::kNcp;
  std::string_view solver;
};

struct Attempt {
  bool refused = false;  // the scene takes no such solver, or the problem is too large for it
  SolveOutcome outcome = SolveOutcome::kNone;
  int32_t sweeps = 0;
  double residual = 0.0;
  double ms = 0.0;

  bool solved() const { return outcome == SolveOutcome::kConverged; }
};

// As tables have them: converged, limit, stalled, ray, singular, too large.
const char* NameOf(SolveOutcome outcome);

// What main() judges by. No row's times or residuals are claimed here, only what no row may do.
struct Tally {
  int rows = 0;
  int faults = 0;  // each with a line on stderr
};

void PrintHead(std::string_view title);

// What is not among the rows, a line a solver: the laws that it does not solve.
void PrintAbsentLaws(std::string_view solver, const std::function<bool(ContactLaw law)>& solves);

// Asks for each residual in turn; what misses one is not asked for the smaller ones.
// `ends_exactly`: of a method that heeds no tolerance on its way, so that an answer which meets the
// next one too is that of the next one. Gives how many of the residuals were reached.
int PrintRow(const RowName& name, const std::function<Attempt(double tolerance)>& solve,
             Tally& tally, bool ends_exactly = false);

void AddFault(const RowName& name, const char* what, Tally& tally);

// Of the process, so that what runs beside it counts little.
double ProcessCpuMs();

}  // namespace talus::solver_table
