#include "solver/solvers/iterate.h"

#include "solver/contact/chunk_loop.h"

namespace talus {
namespace {

constexpr size_t kChunk = 1024;

template <typename Line>
void ExtrapolateAll(WorkerArena& workers, double beta, std::vector<Line>& current,
                    std::vector<Line>& previous) {
  ParallelForChunks(workers, current.size(), kChunk, [&](size_t begin, size_t end, size_t) {
    ExtrapolateLines(beta, current.data(), previous.data(), begin, end);
  });
}

}  // namespace

void ComputeVelocities(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate) {
  iterate.motion = problem.free_motion;
  ForEachChunkInOrder(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
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
  ExtrapolateAll(workers, beta, current, previous);
}

void Extrapolate(WorkerArena& workers, double beta, std::vector<BodyMotion>& current,
                 std::vector<BodyMotion>& previous) {
  ExtrapolateAll(workers, beta, current, previous);
}

}  // namespace talus
