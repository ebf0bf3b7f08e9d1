// From bodies and contacts to a contact problem: colours, arms, gap row, local blocks, metric.
//
// The gap row: b_n = Φ/h where the bodies are apart (speculative: they may come as far as
// touching), max(Φ/h, −v_recovery) where they overlap; an impact faster than the threshold that
// closes within the step bounces, b_n = min(b_n, e u_n⁻) with u_n⁻ the approach velocity at the
// start of the step (Newton restitution, never added to Φ/h).
#pragma once

#include <span>

#include "solver/contact/coloring.h"
#include "solver/contact/contact_input.h"
#include "solver/contact/contact_problem.h"
#include "solver/parallel/worker_arena.h"

namespace talus {

// Local steps: 1 where the normal row couples with another (more than 0.01 in the metric); else 4
// where only one body moves, 2 where the largest row sum of the scaled block exceeds 1.5, 1
// elsewhere.
void AssembleProblem(WorkerArena& workers, const DynamicsView& bodies,
                     std::span<const ContactInput> contacts, const AssemblySettings& settings,
                     Coloring& coloring, ContactProblem& problem);

// Fills ContactRow::block_bound, which only the projected sweeps need.
void ComputeBlockBounds(WorkerArena& workers, ContactProblem& problem);

// Upper bounds of the largest eigenvalue of a symmetric positive semidefinite matrix. The largest
// row sum of magnitudes is cheap, and exact for the scaled block of two spheres or a sphere on a
// plane; the other, at most 6 % high for any matrix, is the smaller of that and ‖B³²‖_F^(1/32).
double LargestRowSum(const Eigen::Matrix<double, 6, 6>& matrix);
double BoundLargestEigenvalue(const Eigen::Matrix<double, 6, 6>& matrix);

}  // namespace talus
