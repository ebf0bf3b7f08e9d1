// Bare rolling problems by name: steps of scenes, and bodies on rings of points. What solvers are
// compared on, beside the files of tests/problems.
//
// No spinning friction, and no spinning rows (step_problem.h): as libraries of five rows a contact
// take them. The same on every run.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "solver/matrix/matrix_problem.h"

namespace talus::scenes {

struct RollingProblem {
  std::string name;    // of the class and what tells it from others of it
  std::string family;  // plane, pile, column, stack, wall, box, lattice, pyramid, ring, groove
  MatrixProblem (*make)(const RollingProblem& problem) = nullptr;

  // What each family makes of these stands in rolling_problems.cc.
  int count = 0;
  double sliding = 0.0;    // μ
  double rolling_m = 0.0;  // ρ
  double ratio = 1.0;      // of masses
  int steps = 0;           // made before the one that is taken
  double kick_m_s = 0.0;

  MatrixProblem Make() const { return make(*this); }
};

std::span<const RollingProblem> RollingProblems();

// That of this name, which must be one.
MatrixProblem MakeRollingProblem(std::string_view name);

}  // namespace talus::scenes
