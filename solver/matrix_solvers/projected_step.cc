#include "solver/matrix_solvers/projected_step.h"

namespace talus::matrix {

namespace {
// As usual for these methods: L, the ratio below which the step grows, and by how much it changes.
constexpr double kLargestRatio = 0.9;
constexpr double kSmallRatio = 0.3;
constexpr double kShrink = 2.0 / 3.0;
constexpr double kShortestProjectedStep = 1e-12;
}  // namespace

Eigen::VectorXd ProjectedStep::LawVelocities(const Eigen::VectorXd& impulse,
                                             Eigen::VectorXd& velocity) const {
  velocity = MultiplyDelassus(problem_, impulse) + problem_.free_rows;
  Eigen::VectorXd paired = velocity;
  for (size_t i = 0; i < problem_.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    paired.segment<6>(at) = PairedVelocity(law_, problem_.laws[i], velocity.segment<6>(at));
  }
  return paired;
}

Eigen::VectorXd ProjectedStep::Move(double length, const Eigen::VectorXd& impulse,
                                    const Eigen::VectorXd& paired) const {
  return ProjectBlocks(problem_, impulse - length * paired);
}

ProjectedStep::Found ProjectedStep::Find(const Eigen::VectorXd& impulse,
                                         const Eigen::VectorXd& paired, SolveTrack& track,
                                         Eigen::VectorXd& target, Eigen::VectorXd& target_paired,
                                         int32_t& products) {
  while (true) {
    target = Move(step_, impulse, paired);
    target_paired = LawVelocities(target, velocity_);
    ++products;
    const double moved = (impulse - target).norm();
    const double ratio = moved > 0.0 ? step_ * (paired - target_paired).norm() / moved : 0.0;
    if (ratio <= kLargestRatio) {
      length_ = step_;
      if (ratio < kSmallRatio) step_ /= kShrink;  // for the next one
      return Found::kStep;
    }
    step_ *= kShrink;
    if (step_ < kShortestProjectedStep) return Found::kNoneShortEnough;
    if (track.IsOver(products)) return Found::kEndOfSolve;
  }
}

}  // namespace talus::matrix
