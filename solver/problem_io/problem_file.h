// What a file holds of a contact problem: the matrices, a name, and a solution to compare with
// where the file knows one.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "solver/matrix/matrix_problem.h"

namespace talus {

struct ProblemFile {
  std::string name;
  MatrixProblem problem;
  // γ of the step before, which bristles remember; FCLIB cannot hold it.
  std::optional<Eigen::VectorXd> old_impulse = {};
  std::optional<Eigen::VectorXd> reference_impulse = {};   // γ: N s, N m s
  std::optional<Eigen::VectorXd> reference_velocity = {};  // u = W γ + q: m/s, rad/s
};

}  // namespace talus
