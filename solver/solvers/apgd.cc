#include "solver/solvers/apgd.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/chunk_loop.h"
#include "solver/contact/residual.h"
#include "solver/parallel/ordered_reduce.h"
#include "solver/solvers/momentum.h"
#include "solver/solvers/progress_guard.h"

namespace talus {
namespace {

// Sums over all contacts of one projected step d = γ⁺ − y, in the metric.
struct StepSums {
  double length_squared = 0.0;  // ‖d‖²
  double curvature = 0.0;       // dᵀ N d
  double against = 0.0;         // (y − γ⁺)·(γ⁺ − γ)
};

void FindVelocities(WorkerArena& workers, const ContactProblem& problem, const Iterate& iterate,
                    std::vector<WrenchBlock>& velocity) {
  velocity.resize(problem.layout.block_count());
  ForEachChunk(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    FindLocalVelocities(problem.span(), chunk, iterate.impulse.data(), iterate.motion.data(),
                        velocity.data() + chunk.begin);
  });
}

void FindWeights(WorkerArena& workers, const ContactProblem& problem, const Iterate& iterate,
                 std::vector<PartBlock>& weights) {
  weights.resize(problem.layout.block_count());
  ForEachChunk(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    FindWeights(problem.span(), chunk, iterate.motion.data(), weights.data() + chunk.begin);
  });
}

// next = Π(y − u / L) and the velocities that belong to it.
void TakeStep(WorkerArena& workers, const ContactProblem& problem, const Iterate& start,
              const std::vector<WrenchBlock>& velocity, double lipschitz, Iterate& next) {
  CopyIterate(workers, start, next);
  ForEachChunk(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    ProjectImpulses(problem.span(), chunk, 1.0 / lipschitz, start.motion.data(), velocity.data(),
                    next.impulse.data());
  });
  ForEachChunkInOrder(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    AddImpulses(problem.span(), chunk, next.impulse.data(), start.impulse.data(),
                next.motion.data());
  });
}

// Adds one block's share. `u` and `u_next` are the velocities at `y` and `next`.
void AddBlock(const PartBlock& weights, size_t count, const WrenchBlock& y, const WrenchBlock& next,
              const WrenchBlock& previous, const WrenchBlock& u, const WrenchBlock& u_next,
              StepSums& sums) {
  for (size_t row = 0; row < 6; ++row) {
    const Lanes& weight = weights.part[kPartOfRow[row]];
    for (size_t lane = 0; lane < count; ++lane) {
      const double d = next.row[row][lane] - y.row[row][lane];
      sums.length_squared += weight[lane] * d * d;
      sums.curvature += d * (u_next.row[row][lane] - u.row[row][lane]);
      sums.against -= weight[lane] * d * (next.row[row][lane] - previous.row[row][lane]);
    }
  }
}

}  // namespace

SolveReport Apgd::Solve(WorkerArena& workers, const ContactProblem& problem,
                        const SolveLimits& limits, Iterate& iterate) {
  SolveReport report;
  report.outcome = SolveOutcome::kSweepLimit;
  ProgressGuard guard;
  NesterovMomentum momentum;
  double lipschitz = 1.0;  // the metric makes the diagonal of N' one
  const auto sum_step = [&] {
    FindVelocities(workers, problem, iterate, next_velocity_);
    return OrderedReduce(
        workers, problem.layout.block_count(), kChunkBlocks, StepSums{},
        [&](size_t i) {
          StepSums sums;
          AddBlock(weights_[i], problem.layout.CountContacts(i), start_.impulse[i],
                   iterate.impulse[i], previous_.impulse[i], velocity_[i], next_velocity_[i], sums);
          return sums;
        },
        [](const StepSums& a, const StepSums& b) {
          return StepSums{a.length_squared + b.length_squared, a.curvature + b.curvature,
                          a.against + b.against};
        });
  };
  FindWeights(workers, problem, iterate, weights_);
  CopyIterate(workers, iterate, previous_);
  for (int32_t sweep = 1; sweep <= limits.max_sweeps && !limits.IsStopped(); ++sweep) {
    CopyIterate(workers, iterate, start_);
    FindVelocities(workers, problem, start_, velocity_);
    StepSums sums;
    for (;;) {
      TakeStep(workers, problem, start_, velocity_, lipschitz, iterate);
      sums = sum_step();
      if (!(sums.curvature > lipschitz * sums.length_squared)) break;
      lipschitz = std::max(2.0 * lipschitz, sums.curvature / sums.length_squared);
    }
    report.sweep_count = sweep;
    report.residual =
        ComputeResidual(workers, problem, limits.law, iterate.impulse, iterate.motion);
    if (limits.residual_history) report.residual_history.push_back(report.residual);
    if (report.residual <= limits.tolerance) {
      report.outcome = SolveOutcome::kConverged;
      return report;
    }
    double beta = 0.0;
    switch (guard.Note(sweep, report.residual)) {
      case ProgressGuard::Advice::kKeep:
        CopyIterate(workers, iterate, best_);
        [[fallthrough]];
      case ProgressGuard::Advice::kGoOn:
        beta = momentum.NextBeta({sums.length_squared, sums.against});
        break;
      case ProgressGuard::Advice::kGoBack:
        iterate = previous_ = best_;
        momentum.Restart();
        break;
      case ProgressGuard::Advice::kStalled:
        report.outcome = SolveOutcome::kStalled;
        report.residual = guard.best_residual();
        iterate = best_;
        return report;
    }
    lipschitz *= 0.9;  // lets the step grow again where the problem allows it
    Extrapolate(workers, beta, iterate.impulse, previous_.impulse);
    Extrapolate(workers, beta, iterate.motion, previous_.motion);
  }
  if (std::isfinite(guard.best_residual())) {
    iterate = best_;
    report.residual = guard.best_residual();
  }
  return report;
}

}  // namespace talus
