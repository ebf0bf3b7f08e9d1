// NCP by way of smoothed problems, where proximal steps do not get on: Newton's method with a
// rounding that falls as fast as it can (smoothing_newton.h), and where that does not come near the
// path from the smoothest problem of all (smoothed_path.h), by each of two compliances.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/solve_track.h"
#include "solver/solvers/solve_limits.h"

namespace talus::matrix {

inline constexpr double kFarAway = 1e-4;  // a residual from which proximal steps seldom get on

// Begins at the best impulses of `track`, notes there where each step leads, and counts their
// factorisations. `impulse` goes to the nearest that is not far away, however near it is already:
// that may be a dead end. False: the track has ended.
bool SolveSmoothed(const ScaledProblem& problem, const SolveLimits& limits, SolveTrack& track,
                   int32_t& factorization_count, Eigen::VectorXd& impulse);

}  // namespace talus::matrix
