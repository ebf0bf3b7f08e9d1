#include "tests/bench/bench_plan.h"

#include <fnmatch.h>

#include "tests/bench/asleep_steps.h"
#include "tests/bench/bare_sweeps.h"
#include "tests/bench/bench_world.h"
#include "tests/bench/cold_start.h"
#include "tests/bench/many_scenes.h"
#include "tests/bench/warm_steps.h"

namespace talus::bench {
namespace {

constexpr int64_t kMillionStones = 400'000;  // make a million contacts
constexpr int kSceneCount = 64;
// 900 contacts stay in a core's own cache, 10 000 and 31 000 do not, 370 000 and a million not in
// any.
constexpr int64_t kLatticeSpheres[] = {343, 3375, 10'648, 125'000, 343'000};

// What a size can afford within the minutes that the whole table may take.
struct Effort {
  int max_sweeps;
  int repeats;
  int warm_steps;
  int hash_steps;  // on 3, 7 and 16 threads
};

Effort FindEffort(int64_t bodies, bool quick) {
  if (bodies <= 1000) return {10'000, 3, 20, 10};
  if (bodies <= 4000) return {5000, quick ? 1 : 3, 20, 5};
  if (bodies <= 10'000) return {4000, quick ? 1 : 3, 20, 3};
  if (bodies <= 50'000) return {2000, 1, 10, 2};
  if (bodies <= 100'000) return {2000, 1, 5, 1};
  return {1000, 1, 2, 1};
}

void AddRows(const StateKey& state, bool quick, std::vector<RowPlan>& rows) {
  rows.push_back({state, RowMode::kCold, SolverKind::kLawDefault, quick});
  // The slower solvers of the law, once, where they are not minutes of work.
  if (state.law == ContactLaw::kCcp && state.bodies <= 1000) {
    rows.push_back({state, RowMode::kCold, SolverKind::kPsor, quick});
    rows.push_back({state, RowMode::kCold, SolverKind::kApgd, quick});
  }
  rows.push_back({state, RowMode::kWarm, SolverKind::kLawDefault, quick});
  if (state.kind != StateKind::kPileRest || state.bodies > 10'000) return;
  rows.push_back({state, RowMode::kAsleep, SolverKind::kLawDefault, quick});
  rows.push_back({state, RowMode::kBeside, SolverKind::kLawDefault, quick});
}

// Heaps under both laws up to 10 000 stones, under NCP alone beyond.
void AddPiles(int64_t bodies, bool quick, std::vector<RowPlan>& rows) {
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    if (law == ContactLaw::kCcp && bodies > 10'000) continue;
    for (const StateKind kind :
         {StateKind::kPileRest, StateKind::kPileFlow, StateKind::kPileCollapse}) {
      AddRows({kind, bodies, law, 1}, quick, rows);
    }
  }
}

SweepPrecision PrecisionOf(RowMode mode) {
  return mode == RowMode::kSingleSweeps  ? SweepPrecision::kFloats
         : mode == RowMode::kMixedSweeps ? SweepPrecision::kDoublesOfFloats
                                         : SweepPrecision::kDoubles;
}

}  // namespace

std::string RowPlan::id() const {
  if (mode == RowMode::kScenes) {
    return std::to_string(kSceneCount) + "-" + StateName(state) + "/" +
           SolverName(state.law, solver) + "/steps";
  }
  const char* name = mode == RowMode::kCold          ? "/cold"
                     : mode == RowMode::kWarm        ? "/warm"
                     : mode == RowMode::kAsleep      ? "/asleep"
                     : mode == RowMode::kBeside      ? "/beside"
                     : mode == RowMode::kSweeps      ? "/sweeps"
                     : mode == RowMode::kMixedSweeps ? "/mixed"
                                                     : "/single";
  return StateName(state) + "/" + SolverName(state.law, solver) + name;
}

std::vector<RowPlan> ListRows(PlanSize size) {
  std::vector<RowPlan> rows;
  if (size == PlanSize::kMillion) {
    AddRows({StateKind::kPileRest, kMillionStones, ContactLaw::kNcp, 1}, false, rows);
    return rows;
  }
  const bool quick = size == PlanSize::kQuick;
  for (const StateKind kind : {StateKind::kSceneRest, StateKind::kSceneCollapse}) {
    rows.push_back(
        {{kind, 100, ContactLaw::kNcp, 1}, RowMode::kScenes, SolverKind::kLawDefault, quick});
  }
  for (const ContactLaw law : {ContactLaw::kNcp, ContactLaw::kCcp}) {
    for (const int64_t spheres : kLatticeSpheres) {
      for (const RowMode mode : {RowMode::kSweeps, RowMode::kMixedSweeps, RowMode::kSingleSweeps}) {
        rows.push_back(
            {{StateKind::kLattice, spheres, law, 1}, mode, SolverKind::kLawDefault, quick});
      }
    }
  }
  for (const int64_t bodies : {1000, 4000}) AddPiles(bodies, quick, rows);
  if (quick) return rows;
  AddRows({StateKind::kBox, 8000, ContactLaw::kNcp, 1}, quick, rows);
  AddRows({StateKind::kDrum, 2000, ContactLaw::kNcp, 1}, quick, rows);
  AddRows({StateKind::kWall, 500, ContactLaw::kNcp, 1}, quick, rows);
  for (const int64_t bodies : {10'000, 50'000, 100'000}) AddPiles(bodies, quick, rows);
  return rows;
}

bool MatchesPattern(const std::string& id, const std::string& pattern) {
  return fnmatch(("*" + pattern + "*").c_str(), id.c_str(), 0) == 0;
}

std::vector<BenchRow> MeasureRow(const RowPlan& plan, const std::string& snapshot,
                                 const StateStore& store) {
  const bool million = plan.state.bodies > 100'000;
  const Effort effort = FindEffort(plan.state.bodies, plan.quick);
  const ContactLaw law = plan.state.law;
  BenchRow row;
  row.id = plan.id();
  row.state = row.id.substr(0, row.id.find('/'));
  row.law = LawName(law);
  row.solver = SolverName(law, plan.solver);
  switch (plan.mode) {
    case RowMode::kCold:
      // Of a million contacts only 1e-2 and 1e-3: what its steps ask for.
      MeasureColdStart(
          snapshot,
          {law, plan.solver, effort.max_sweeps, effort.repeats, million ? 2 : kGoals.size()}, row);
      return {row};
    case RowMode::kWarm:
      return MeasureWarmSteps(
          snapshot, {law, effort.warm_steps, effort.repeats, effort.hash_steps, 1e-3, 1000}, row);
    case RowMode::kSweeps:
    case RowMode::kMixedSweeps:
    case RowMode::kSingleSweeps:
      return MeasureBareSweeps(
          {plan.state.bodies, law, plan.quick ? 5 : 15, PrecisionOf(plan.mode)}, row);
    case RowMode::kAsleep:
    case RowMode::kBeside:
      return MeasureAsleepSteps(snapshot, {law, plan.mode == RowMode::kBeside}, row);
    case RowMode::kScenes:
      break;
  }
  std::vector<std::string> snapshots = {snapshot};
  for (int seed = 2; seed <= kSceneCount; ++seed) {
    StateKey other = plan.state;
    other.seed = static_cast<uint64_t>(seed);
    snapshots.push_back(LoadState(other, store));
  }
  return MeasureManyScenes(snapshots, {law, 100, plan.quick ? 1 : 3}, row);
}

}  // namespace talus::bench
