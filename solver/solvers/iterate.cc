#include "solver/solvers/iterate.h"

#include <type_traits>

#include "solver/contact/chunk_loop.h"

namespace talus {
namespace {

constexpr size_t kChunk = 1024;

// All kinds of lines are of one type throughout. beta = 0 keeps the bits of `current`, which
// 0 * (inf - x) would not; the solvers rely on it after a restart. Mobilities extrapolate to
// themselves.
template <typename Real, typename Line>
void ExtrapolateLines(WorkerArena& workers, Real beta, std::vector<Line>& current,
                      std::vector<Line>& previous) {
  static_assert(sizeof(Line) % sizeof(Real) == 0 && std::is_trivially_copyable_v<Line>);
  constexpr size_t kReals = sizeof(Line) / sizeof(Real);
  ParallelForChunks(workers, current.size(), kChunk, [&](size_t begin, size_t end, size_t) {
    Real* const now = reinterpret_cast<Real*>(current.data() + begin);
    Real* const before = reinterpret_cast<Real*>(previous.data() + begin);
    const size_t count = (end - begin) * kReals;
    if (beta == 0) {
      std::copy(now, now + count, before);
      return;
    }
    for (size_t i = 0; i < count; ++i) {
      const Real old = now[i];
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

void Extrapolate(WorkerArena& workers, double beta, std::vector<BodyMotionOf<float>>& current,
                 std::vector<BodyMotionOf<float>>& previous) {
  ExtrapolateLines(workers, static_cast<float>(beta), current, previous);
}

}  // namespace talus
