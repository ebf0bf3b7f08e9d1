// What a solver improves: impulses in the contact frame, by block, and the velocities that belong
// to them, v = v_free + M⁻¹ D γ, by row of the problem.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "solver/contact/contact_problem.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

struct Iterate {
  std::vector<WrenchBlock> impulse;
  std::vector<BodyMotion> motion;
};

// `to` = `from`, on all workers. Spans are of the same length.
void CopyLines(WorkerArena& workers, std::span<const WrenchBlock> from, std::span<WrenchBlock> to);
void CopyLines(WorkerArena& workers, std::span<const BodyMotion> from, std::span<BodyMotion> to);
void CopyIterate(WorkerArena& workers, const Iterate& from, Iterate& to);

// Adds what the impulses do to velocities that know nothing of them yet, strand by strand, so that
// the bits depend on the problem alone.
void AddImpulses(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate);
// Sets the velocities to those without impulses; those of null bodies are zero.
void SetFreeVelocities(WorkerArena& workers, const ContactProblem& problem,
                       std::span<BodyMotion> motion);
// Sets the velocities from the impulses. The mobilities must be there.
void ComputeVelocities(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate);

// Projects every impulse onto its cone (in the metric), which makes any warm start admissible.
void ProjectImpulses(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate);

// The extrapolation of an accelerated method: current += beta (current − previous), previous = the
// old current.
void Extrapolate(WorkerArena& workers, double beta, std::vector<WrenchBlock>& current,
                 std::vector<WrenchBlock>& previous);
void Extrapolate(WorkerArena& workers, double beta, std::vector<BodyMotion>& current,
                 std::vector<BodyMotion>& previous);

// The same of lines [begin, end); lines of any kind are of one type throughout. beta = 0 keeps the
// bits of `current`, which 0 * (inf - x) would not; the solvers rely on it after a restart.
// Mobilities extrapolate to themselves.
template <typename Real, typename Line>
void ExtrapolateLines(Real beta, Line* current, Line* previous, size_t begin, size_t end) {
  static_assert(sizeof(Line) % sizeof(Real) == 0 && std::is_trivially_copyable_v<Line>);
  Real* const now = reinterpret_cast<Real*>(current + begin);
  Real* const before = reinterpret_cast<Real*>(previous + begin);
  const size_t count = (end - begin) * (sizeof(Line) / sizeof(Real));
  if (beta == 0) {
    std::copy(now, now + count, before);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const Real old = now[i];
    now[i] = old + beta * (old - before[i]);
    before[i] = old;
  }
}

}  // namespace talus
