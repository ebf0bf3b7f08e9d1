// The bare problems that both are given: the files of tests/problems, then those of scenes.
#pragma once

#include <string>

#include "tests/scenes/rolling_problems.h"
#include "tests/support/problem_files.h"

namespace talus::siconos {

// visit(name, family, make): `make` makes the problem; `family` is `file` where it is read.
template <typename Visit>
void ForEachProblem(const Visit& visit) {
  for (const std::string& name : testing::ProblemNames()) {
    visit(name, "file", [&] { return testing::LoadProblem(name).problem; });
  }
  for (const scenes::RollingProblem& problem : scenes::RollingProblems()) {
    visit(problem.name, problem.family, [&] { return problem.Make(); });
  }
}

}  // namespace talus::siconos
