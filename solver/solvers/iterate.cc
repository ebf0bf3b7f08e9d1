#include "solver/solvers/iterate.h"

#include "solver/base/slack.h"
#include "solver/contact/chunk_loop.h"

namespace talus {
namespace {

constexpr size_t kIterateChunk = 1024;

template <typename Line>
void ExtrapolateAll(WorkerArena& workers, double beta, std::vector<Line>& current,
                    std::vector<Line>& previous) {
  ParallelForChunks(workers, current.size(), kIterateChunk, [&](size_t begin, size_t end, size_t) {
    ExtrapolateLines(beta, current.data(), previous.data(), begin, end);
  });
}

template <typename Line>
void CopyAll(WorkerArena& workers, std::span<const Line> from, std::span<Line> to) {
  ParallelForChunks(workers, from.size(), kIterateChunk, [&](size_t begin, size_t end, size_t) {
    std::copy(from.data() + begin, from.data() + end, to.data() + begin);
  });
}

}  // namespace

void CopyLines(WorkerArena& workers, std::span<const WrenchBlock> from, std::span<WrenchBlock> to) {
  CopyAll(workers, from, to);
}

void CopyLines(WorkerArena& workers, std::span<const BodyMotion> from, std::span<BodyMotion> to) {
  CopyAll(workers, from, to);
}

void CopyIterate(WorkerArena& workers, const Iterate& from, Iterate& to) {
  ResizeBuffer(to.impulse, from.impulse.size());
  ResizeBuffer(to.motion, from.motion.size());
  CopyLines(workers, from.impulse, to.impulse);
  CopyLines(workers, from.motion, to.motion);
}

void AddImpulses(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate) {
  ForEachChunkInOrder(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    AddImpulses(problem.span(), chunk, iterate.impulse.data(), nullptr, iterate.motion.data());
  });
}

void SetFreeVelocities(WorkerArena& workers, const ContactProblem& problem,
                       std::span<BodyMotion> motions) {
  const double per_speed = 1.0 / problem.units.speed;
  const double per_turn = 1.0 / problem.units.turn();
  const size_t body_count = problem.rows.count();
  ParallelFor(workers, motions.size(), kIterateChunk, [&](size_t row) {
    BodyMotion& motion = motions[row];
    if (row >= body_count) return motion.Set(Vec3::Zero(), Vec3::Zero());
    const uint32_t body = problem.rows.body[row];
    motion.Set(per_speed * problem.free_linear_velocities[body],
               per_turn * problem.free_angular_velocities[body]);
  });
}

void ComputeVelocities(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate) {
  SetFreeVelocities(workers, problem, iterate.motion);
  AddImpulses(workers, problem, iterate);
}

void ProjectImpulses(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate) {
  ForEachChunk(workers, problem.layout, [&](const BlockChunk& chunk, size_t) {
    ProjectImpulses(problem.span(), chunk, 0.0, iterate.motion.data(), nullptr,
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
