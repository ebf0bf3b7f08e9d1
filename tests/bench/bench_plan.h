// Which rows there are: every row's id, its state and how it is measured, so that rows can be
// listed and chosen without making a state.
//
// An id is `state/solver/mode`, as in `pile-rest-10k-ncp/alart_curnier/cold`. Modes: `cold` (to
// each residual, one thread), `warm` (as a user steps; a row for one thread and one for two),
// `steps` (many scenes; the same), `sweeps` (of a bare problem; the same), `asleep` and `beside` (a
// heap that sleeps, alone and beside a stone that does not; the same).
#pragma once

#include <string>
#include <vector>

#include "tests/bench/bench_row.h"
#include "tests/bench/bench_state.h"

namespace talus::bench {

enum class RowMode {
  kCold,
  kWarm,
  kScenes,
  kSweeps,
  kMixedSweeps,
  kSingleSweeps,
  kAsleep,
  kBeside
};

struct RowPlan {
  StateKey state;
  RowMode mode = RowMode::kCold;
  SolverKind solver = SolverKind::kLawDefault;
  bool quick = false;

  std::string id() const;
};

enum class PlanSize {
  kQuick,    // piles of 1000 and 4000, 64 scenes; large ones measured once
  kFull,     // all states but the last
  kMillion,  // a heap of 400 000 stones, a million contacts, alone
};

// Rows of one state stand together.
std::vector<RowPlan> ListRows(PlanSize size);

// Whether an id contains `pattern`, in which * and ? stand for any text and any character.
bool MatchesPattern(const std::string& id, const std::string& pattern);

// Measures one entry; `snapshot` is its state's, or empty for bare sweeps.
std::vector<BenchRow> MeasureRow(const RowPlan& plan, const std::string& snapshot,
                                 const StateStore& store);

}  // namespace talus::bench
