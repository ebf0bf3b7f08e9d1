// The contact problem that the next step of a scene would solve, as matrices: what bare problems
// are made from. The same on every run.
#pragma once

#include <cstdint>

#include "solver/matrix/matrix_problem.h"
#include "solver/scene/scene_def.h"
#include "solver/state/scene_state.h"
#include "solver/world/world.h"

namespace talus::scenes {

struct StepProblemOptions {
  int steps = 0;          // >= 0, made before
  double kick_m_s = 0.0;  // then each dynamic body gets up to this much along each axis
  uint64_t seed = 1;      // of the kicks
};

// The scene must be valid and step without a fault.
MatrixProblem MakeStepProblem(const SceneDef& scene, const StepProblemOptions& options = {});

// The same of a scene on its way.
MatrixProblem TakeStepProblem(SceneState state, const StepProblemOptions& options = {});

// A world on its way that forgets what it carried: the next step starts from zero impulses, joints
// included, whatever was solved before.
SceneState TakeColdState(const World& world, const StepProblemOptions& options = {});

// The problem of that step. No solver works on the way to it.
MatrixProblem TakeColdProblem(const World& world, const StepProblemOptions& options = {});

// Leaves the spinning row out of contacts without spinning friction, where the impulse is zero
// whatever the velocity: matrices and vectors become zero there, as in a file of five rows a
// contact.
void DropSpinningRows(MatrixProblem& problem);

}  // namespace talus::scenes
