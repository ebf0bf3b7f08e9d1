#include "solver/solvers/iterate.h"

#include "solver/contact/delassus.h"
#include "solver/solvers/color_loop.h"

namespace talus {
namespace {

constexpr size_t kChunk = 2048;

// beta = 0 keeps the bits of `current`, which 0 * (inf - x) would not; the solvers rely on it after
// a restart.
template <typename T>
void ExtrapolateValue(double beta, T& current, T& previous) {
  const T old = current;
  if (beta != 0.0) current += beta * (old - previous);
  previous = old;
}

}  // namespace

void ComputeVelocities(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate) {
  iterate.velocity = problem.free_velocity;
  ForEachColor(workers, problem, [&](size_t begin, size_t end, size_t) {
    for (size_t i = begin; i < end; ++i) {
      AddImpulse(problem, problem.contacts[i], iterate.impulse[i], iterate.velocity);
    }
  });
}

void ProjectImpulses(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate) {
  ParallelFor(workers, problem.contact_count(), kChunk, [&](size_t i) {
    const ContactRow& c = problem.contacts[i];
    iterate.impulse[i] =
        ProjectToCone(ScaledCone(c), iterate.impulse[i].cwiseQuotient(c.step)).cwiseProduct(c.step);
  });
}

void Extrapolate(WorkerArena& workers, double beta, Iterate& current, Iterate& previous) {
  ParallelFor(workers, current.impulse.size(), kChunk,
              [&](size_t i) { ExtrapolateValue(beta, current.impulse[i], previous.impulse[i]); });
  ParallelFor(workers, current.velocity.size(), kChunk, [&](size_t row) {
    ExtrapolateValue(beta, current.velocity[row].linear, previous.velocity[row].linear);
    ExtrapolateValue(beta, current.velocity[row].angular, previous.velocity[row].angular);
  });
}

}  // namespace talus
