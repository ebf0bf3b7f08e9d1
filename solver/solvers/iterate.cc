#include "solver/solvers/iterate.h"

#include <type_traits>

#include "solver/contact/chunk_loop.h"

namespace talus {
namespace {

constexpr size_t kChunk = 1024;

// Both kinds of lines are doubles throughout. beta = 0 keeps the bits of `current`, which
// 0 * (inf - x) would not; the solvers rely on it after a restart. Mobilities extrapolate to
// themselves.
template <typename Line>
void ExtrapolateLines(WorkerArena& workers, double beta, std::vector<Line>& current,
                      std::vector<Line>& previous) {
  static_assert(sizeof(Line) % sizeof(double) == 0 && std::is_trivially_copyable_v<Line>);
  constexpr size_t kDoubles = sizeof(Line) / sizeof(double);
  ParallelForChunks(workers, current.size(), kChunk, [&](size_t begin, size_t end, size_t) {
    double* const now = reinterpret_cast<double*>(current.data() + begin);
    double* const before = reinterpret_cast<double*>(previous.data() + begin);
    const size_t count = (end - begin) * kDoubles;
    if (beta == 0.0) {
      std::copy(now, now + count, before);
      return;
    }
    for (size_t i = 0; i < count; ++i) {
      const double old = now[i];
      now[i] = old + beta * (old - before[i]);
      before[i] = old;
    }
  });
}

}  // namespace

void ComputeVelocities(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate) {
  iterate.motion = problem.free_motion;
  ForEachColor(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    AddImpulses(problem.span(), chunk, iterate.impulse.data(), nullptr, iterate.motion.data());
  });
}

void ProjectImpulses(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate) {
  ForEachChunk(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    ProjectImpulses(problem.span(), chunk, 0.0, problem.free_motion.data(), nullptr,
                    iterate.impulse.data());
  });
}

void Extrapolate(WorkerArena& workers, double beta, std::vector<WrenchBlock>& current,
                 std::vector<WrenchBlock>& previous) {
  ExtrapolateLines(workers, beta, current, previous);
}

void Extrapolate(WorkerArena& workers, double beta, std::vector<BodyMotion>& current,
                 std::vector<BodyMotion>& previous) {
  ExtrapolateLines(workers, beta, current, previous);
}

}  // namespace talus
