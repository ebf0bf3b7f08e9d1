// What a solver improves: impulses in the contact frame, by block, and the velocities that belong
// to them, v = v_free + M⁻¹ D γ, by body row.
#pragma once

#include <vector>

#include "solver/contact/contact_problem.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

struct Iterate {
  std::vector<WrenchBlock> impulse;
  std::vector<BodyMotion> motion;
};

// Sets the velocities from the impulses, colour by colour, so that the bits depend on the problem
// alone.
void ComputeVelocities(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate);

// Projects every impulse onto its cone (in the metric), which makes any warm start admissible.
void ProjectImpulses(WorkerArena& workers, const ContactProblem& problem, Iterate& iterate);

// The extrapolation of an accelerated method: current += beta (current − previous), previous = the
// old current.
void Extrapolate(WorkerArena& workers, double beta, std::vector<WrenchBlock>& current,
                 std::vector<WrenchBlock>& previous);
void Extrapolate(WorkerArena& workers, double beta, std::vector<BodyMotion>& current,
                 std::vector<BodyMotion>& previous);
void Extrapolate(WorkerArena& workers, double beta, std::vector<BodyMotionOf<float>>& current,
                 std::vector<BodyMotionOf<float>>& previous);

}  // namespace talus
