// What tests of the solvers of matrices begin from: random wrenches, and bare problems by name,
// scaled.
#pragma once

#include <string>

#include "solver/base/random.h"
#include "solver/contact/wrench.h"
#include "solver/matrix/scaled_problem.h"
#include "tests/scenes/rolling_problems.h"

namespace talus::testing {

// Six numbers from [−1, 1).
inline Wrench RandomWrench(Random& random) {
  Wrench x;
  for (double& value : x) value = random.Uniform(-1.0, 1.0);
  return x;
}

inline ScaledProblem ScaledRollingProblem(const std::string& name) {
  return ScaleProblem(scenes::MakeRollingProblem(name));
}

}  // namespace talus::testing
