// Projected steps of adaptive length along the law's velocity: γ̄ = Π(γ − r û(γ)), r halved or so
// until r ‖û(γ) − û(γ̄)‖ ≤ L ‖γ − γ̄‖, and raised where it could have been longer. The fixed point
// iteration and the extragradient method of [AB] §5.1 differ in what they make of it.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "solver/matrix/scaled_problem.h"
#include "solver/matrix_solvers/solve_track.h"

namespace talus::matrix {

class ProjectedStep {
 public:
  ProjectedStep(const ScaledProblem& problem, ContactLaw law) : problem_(problem), law_(law) {}

  // û of impulses; `velocity` comes to be u.
  Eigen::VectorXd LawVelocities(const Eigen::VectorXd& impulse, Eigen::VectorXd& velocity) const;
  // Π(γ − r û), block by block, r of the last γ̄ found.
  Eigen::VectorXd Move(const Eigen::VectorXd& impulse, const Eigen::VectorXd& paired) const {
    return Move(length_, impulse, paired);
  }

  enum class Found : uint8_t { kStep, kNoneShortEnough, kEndOfSolve };

  // γ̄ of γ, whose û is `paired`; `target_paired` comes to be û(γ̄) and `products` grows by the
  // products with W that it took. Before each product but the first the track is asked whether the
  // solve is over.
  Found Find(const Eigen::VectorXd& impulse, const Eigen::VectorXd& paired, SolveTrack& track,
             Eigen::VectorXd& target, Eigen::VectorXd& target_paired, int32_t& products);
  const Eigen::VectorXd& velocity() const { return velocity_; }  // u of the last γ̄

 private:
  Eigen::VectorXd Move(double length, const Eigen::VectorXd& impulse,
                       const Eigen::VectorXd& paired) const;

  const ScaledProblem& problem_;
  ContactLaw law_;
  double length_ = 1.0;  // r
  double step_ = 1.0;    // what is tried next
  Eigen::VectorXd velocity_;
};

}  // namespace talus::matrix
