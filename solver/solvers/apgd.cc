#include "solver/solvers/apgd.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/delassus.h"
#include "solver/contact/residual.h"
#include "solver/parallel/ordered_reduce.h"
#include "solver/solvers/color_loop.h"
#include "solver/solvers/momentum.h"
#include "solver/solvers/progress_guard.h"

namespace talus {
namespace {

constexpr size_t kChunk = 512;

// Sums over all contacts of one projected step d = γ⁺ − y, in the metric.
struct StepSums {
  double length_squared = 0.0;  // ‖d‖²
  double curvature = 0.0;       // dᵀ N d
};

// next = Π(y − u / L) and the velocities that belong to it.
void TakeStep(WorkerArena& workers, const ContactProblem& problem, const Iterate& start,
              const std::vector<Wrench>& velocity, double lipschitz, Iterate& next) {
  ParallelFor(workers, problem.contact_count(), kChunk, [&](size_t i) {
    const ContactRow& c = problem.contacts[i];
    const Wrench scaled =
        start.impulse[i].cwiseQuotient(c.step) - c.step.cwiseProduct(velocity[i]) / lipschitz;
    next.impulse[i] = ProjectToCone(ScaledCone(c), scaled).cwiseProduct(c.step);
  });
  next.velocity = start.velocity;
  ForEachColor(workers, problem, [&](size_t begin, size_t end, size_t) {
    for (size_t i = begin; i < end; ++i) {
      AddImpulse(problem, problem.contacts[i], next.impulse[i] - start.impulse[i], next.velocity);
    }
  });
}

StepSums SumStep(WorkerArena& workers, const ContactProblem& problem, const Iterate& start,
                 const std::vector<Wrench>& velocity, const Iterate& next) {
  return OrderedReduce(
      workers, problem.contact_count(), kChunk, StepSums{},
      [&](size_t i) {
        const ContactRow& c = problem.contacts[i];
        const Wrench d = next.impulse[i] - start.impulse[i];
        const Wrench change =
            LocalVelocity(c, next.velocity[c.body_a], next.velocity[c.body_b]) - velocity[i];
        return StepSums{d.cwiseQuotient(c.step).squaredNorm(), d.dot(change)};
      },
      [](const StepSums& a, const StepSums& b) {
        return StepSums{a.length_squared + b.length_squared, a.curvature + b.curvature};
      });
}

double SumAgainst(WorkerArena& workers, const ContactProblem& problem, const Iterate& start,
                  const Iterate& next, const Iterate& previous) {
  return OrderedReduce(
      workers, problem.contact_count(), kChunk, 0.0,
      [&](size_t i) {
        const Wrench step = problem.contacts[i].step;
        const Wrench back = (start.impulse[i] - next.impulse[i]).cwiseQuotient(step);
        return back.dot((next.impulse[i] - previous.impulse[i]).cwiseQuotient(step));
      },
      [](double a, double b) { return a + b; });
}

}  // namespace

SolveReport Apgd::Solve(WorkerArena& workers, const ContactProblem& problem,
                        const SolveLimits& limits, Iterate& iterate) {
  SolveReport report;
  report.outcome = SolveOutcome::kSweepLimit;
  ProgressGuard guard(best_);
  NesterovMomentum momentum;
  double lipschitz = 1.0;  // the metric makes the diagonal of N' one
  velocity_.resize(problem.contact_count());
  previous_ = iterate;
  for (int32_t sweep = 1; sweep <= limits.max_sweeps; ++sweep) {
    start_ = iterate;
    ParallelFor(workers, problem.contact_count(), kChunk, [&](size_t i) {
      const ContactRow& c = problem.contacts[i];
      velocity_[i] = LocalVelocity(c, start_.velocity[c.body_a], start_.velocity[c.body_b]);
    });
    StepSums sums;
    for (;;) {
      TakeStep(workers, problem, start_, velocity_, lipschitz, iterate);
      sums = SumStep(workers, problem, start_, velocity_, iterate);
      if (!(sums.curvature > lipschitz * sums.length_squared)) break;
      lipschitz = std::max(2.0 * lipschitz, sums.curvature / sums.length_squared);
    }
    report.sweep_count = sweep;
    report.residual =
        ComputeResidual(workers, problem, limits.law, iterate.impulse, iterate.velocity);
    if (limits.residual_history) report.residual_history.push_back(report.residual);
    if (report.residual <= limits.tolerance) {
      report.outcome = SolveOutcome::kConverged;
      return report;
    }
    double beta = 0.0;
    switch (guard.Note(sweep, report.residual, iterate)) {
      case ProgressGuard::Advice::kGoOn:
        beta = momentum.NextBeta(
            {sums.length_squared, SumAgainst(workers, problem, start_, iterate, previous_)});
        break;
      case ProgressGuard::Advice::kGoBack:
        iterate = best_;
        previous_ = best_;
        momentum.Restart();
        break;
      case ProgressGuard::Advice::kStalled:
        report.outcome = SolveOutcome::kStalled;
        report.residual = guard.best_residual();
        iterate = best_;
        return report;
    }
    lipschitz *= 0.9;  // lets the step grow again where the problem allows it
    Extrapolate(workers, beta, iterate, previous_);
  }
  if (std::isfinite(guard.best_residual())) {
    iterate = best_;
    report.residual = guard.best_residual();
  }
  return report;
}

}  // namespace talus
