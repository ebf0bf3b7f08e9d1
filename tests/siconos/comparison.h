// One bare rolling problem solved by both: what ours and Siconos' answers are worth by all three
// measures, and what they took.
//
// Siconos runs its rolling NSGS, the same with its full error each time, and its ADMM, from zero:
// the quickest that comes to the tolerance within its work counts. Where that work is over before
// Siconos was given several times as long as ours took, it is given that. Every answer is measured
// by Siconos' own function and by our certificate.
#pragma once

#include <Eigen/Core>
#include <string>

#include "solver/matrix/certificate.h"
#include "solver/matrix/matrix_problem.h"

namespace talus::siconos {

inline constexpr double kTolerance = 1e-8;
inline constexpr double kVelocityTolerance = 1e-6;  // relative

struct Effort {
  double work = 2e8;    // of Siconos: multiplications of its dense W by iterations, each solver
  double longer = 2.0;  // and in any case so many times as long as ours
  int repeats = 3;      // in turn, of which the median counts; none where a solve takes long, or
                        // where 0 are asked for: then the first solves' times
};

// Why an NCP has one velocity at most. `kNone`: nothing is known, not that it has several.
enum class Uniqueness {
  kNone,
  // W has no entry between a normal row and another, and its normal part is positive definite:
  // γ_n solves a complementarity problem by itself, with one solution, and what friction does then
  // is the minimum of a convex function of velocities.
  kDecoupled,
  // For two solutions, with Δ their difference, monotony of the cones gives
  //   Δγᵀ W Δγ ≤ Σ |Δγ_n| (μ ‖Δu_T‖ + ρ ‖Δω_T‖) ≤ c Δγᵀ W Δγ,
  //   c = √2 (λ_max((W⁻¹)_nn) λ_max(D W_TT D))^½,  D = μ and ρ of the row,
  // so that Δ = 0 where c < 1.
  kContraction,
};

struct Answer {
  std::string method;
  bool solved = false;  // all three measures, or for Siconos its own, within the tolerance
  Certificate certificate;
  double siconos_measure = 0.0;  // by its own function
  int iterations = 0;
  double seconds = 0.0;  // of processor
};

struct Comparison {
  std::string name;
  std::string family;
  size_t contacts = 0;
  Answer ours;
  Answer theirs;  // of the quickest solver that came to the tolerance, else of the best
  Uniqueness uniqueness = Uniqueness::kNone;
  double velocity_difference = 0.0;  // of tighter answers where unique, relative to ‖u‖ + ‖q‖
  double time_ratio = 0.0;           // theirs over ours, the median of rounds; a lower bound where
                                     // theirs has not solved it

  // What is claimed wherever we solve it: our measures, and equal velocities where there is one.
  bool holds() const;
};

// Of the velocities of two answers, beside ‖u‖ + ‖q‖ with the velocities of the first.
double FindVelocityDifference(const MatrixProblem& problem, const Eigen::VectorXd& one,
                              const Eigen::VectorXd& other);

std::string NameOf(Uniqueness uniqueness);
Uniqueness FindUniqueness(const MatrixProblem& problem);

Comparison Compare(const std::string& name, const std::string& family, const MatrixProblem& problem,
                   const Effort& effort);

}  // namespace talus::siconos
