#include "tests/solver_table/scene_rows.h"

#include <cstdio>
#include <string>

#include "solver/scene/validate.h"
#include "solver/state/snapshot.h"
#include "tests/bench/bench_world.h"
#include "tests/scenes/piles.h"
#include "tests/solver_table/heap_kinds.h"
#include "tests/solver_table/mechanism.h"

namespace talus::solver_table {
namespace {

constexpr int64_t kManyStones = 1000;
constexpr int64_t kFewStones = 20;  // that laws with flat sides take
constexpr SolverKind kSolvers[] = {SolverKind::kAlartCurnier,
                                   SolverKind::kAcceleratedPsor,
                                   SolverKind::kPsor,
                                   SolverKind::kApgd,
                                   SolverKind::kNewton,
                                   SolverKind::kFixedPoint,
                                   SolverKind::kExtragradient,
                                   SolverKind::kNsgs,
                                   SolverKind::kBarzilaiBorwein,
                                   SolverKind::kAdmm,
                                   SolverKind::kBlockPivoting,
                                   SolverKind::kLemke};

// Through the doors that a scene has: what they refuse is refused here.
Attempt StepOnce(SceneState& state, const SolverSettings& settings) {
  state.settings.solver = settings;
  absl::StatusOr<World> world = World::Restore(SaveSnapshot(state));
  if (!world.ok()) return {.refused = true};
  WorkerArena workers(1);
  const auto report = world->Step(workers);
  if (!report.ok()) return {.refused = true};
  const StageTimes& times = report->stage_times;
  return {.outcome = report->outcome,
          .sweeps = report->sweep_count,
          .residual = report->residual,
          .ms = 1e3 * (times.assemble_problem_s + times.solve_contacts_s)};
}

void PrintScene(const std::string& name, SceneState state, int max_sweeps, Tally& tally) {
  const MatrixProblem problem = scenes::TakeStepProblem(state);
  const size_t contacts = problem.block_count() - state.joints.size();
  for (const ContactLaw law : kLaws) {
    for (const SolverKind solver : kSolvers) {
      SolverSettings settings{.law = law, .solver = solver, .max_sweeps = max_sweeps};
      if (!ValidateSolver(settings).ok()) continue;
      PrintRow(
          {name, contacts, law, bench::SolverName(law, solver)},
          [&](double tolerance) {
            settings.tolerance = tolerance;
            return StepOnce(state, settings);
          },
          tally, HasFlatSides(law));
    }
  }
}

void PrintHeaps(int64_t stones, int max_sweeps, Tally& tally) {
  for (const HeapKind& heap : kHeapKinds) {
    PrintScene("heap_" + std::to_string(stones) + "_" + heap.name,
               scenes::TakeColdState(heap.MakeWorld(stones), heap.kick), max_sweeps, tally);
  }
}

}  // namespace

void PrintSceneRows(int max_sweeps, Tally& tally) {
  PrintHead("Steps of scenes");
  PrintHeaps(kFewStones, max_sweeps, tally);
  const World stack = bench::MakeWorld(scenes::Stack());
  PrintScene("stack_10", scenes::TakeColdState(stack), max_sweeps, tally);
  for (const Mechanism& mechanism : Mechanisms()) {
    PrintScene(mechanism.name, scenes::TakeColdState(mechanism.world), max_sweeps, tally);
  }
  PrintHeaps(kManyStones, max_sweeps, tally);
  std::printf("\nPairs of solver and law that do not exist:\n\n");
  for (const SolverKind solver : kSolvers) {
    PrintAbsentLaws(bench::SolverName(ContactLaw::kNcp, solver), [&](ContactLaw law) {
      return ValidateSolver({.law = law, .solver = solver}).ok();
    });
  }
}

}  // namespace talus::solver_table
