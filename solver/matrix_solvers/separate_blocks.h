// Problems of which no block touches another, one block among them: each solved at once, by itself,
// where it stands. Nothing is scaled, copied or swept, which would take longer than the arithmetic.
#pragma once

#include <functional>
#include <optional>

#include "solver/matrix/certificate.h"
#include "solver/matrix/matrix_problem.h"
#include "solver/scene/solver_settings.h"

namespace talus::matrix {

// W has no block beside its diagonal.
bool AreSeparate(const MatrixProblem& problem);

struct SeparateSolution {
  Eigen::VectorXd impulse;   // SI
  Eigen::VectorXd velocity;  // u = (W + E) γ + q
  Certificate certificate;
};

// From zero impulses, each block as near to round-off as SolveBlock comes. `problem` is valid and
// AreSeparate(problem). Nothing: `stop`, asked now and then, said so.
std::optional<SeparateSolution> SolveSeparateBlocks(const MatrixProblem& problem, ContactLaw law,
                                                    const std::function<bool()>& stop = {});

}  // namespace talus::matrix
