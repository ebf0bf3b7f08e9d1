#include "solver/matrix_solvers/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/matrix_solvers/gauss_seidel.h"

namespace talus::matrix {
namespace {

constexpr double kKeep = 0.95;  // of the way to the boundary
constexpr double kShort = 0.3;  // a share below is tried again, nearer to the centre
constexpr double kCentered = 0.3;
constexpr double kLeastCoefficient = 1e-3;  // beside which a velocity to start from is chosen

}  // namespace

bool InteriorPoint::Applies(const ScaledProblem& problem) {
  return problem.free_scale > 0.0 && std::ranges::all_of(problem.laws, [](const BlockLaw& law) {
           return law.kind == BlockLawKind::kContact;
         });
}

InteriorPoint::InteriorPoint(const ScaledProblem& problem, FactorLimits limits)
    : problem_(problem), system_(problem, std::move(limits)) {
  const size_t count = problem.block_count();
  for (size_t i = 0; i < count; ++i) AddParts(i);
  first_.push_back(parts_.size());
  inverses_.resize(count);
  const double typical = problem.free_scale / std::sqrt(static_cast<double>(count));
  impulse_ = Eigen::VectorXd::Zero(problem.free_rows.size());
  for (size_t i = 0; i < count; ++i) impulse_[6 * static_cast<Eigen::Index>(i)] = typical;
  const Eigen::VectorXd velocity = VelocityOf(problem, impulse_);
  for (Part& part : parts_) {
    part.velocity = Gather(part, velocity);
    part.velocity[0] =
        part.velocity.tail<2>().norm() + typical / std::max(part.coefficient, kLeastCoefficient);
  }
}

void InteriorPoint::AddParts(size_t block) {
  first_.push_back(parts_.size());
  const auto at = 6 * static_cast<Eigen::Index>(block);
  const FrictionCone& cone = problem_.laws[block].cone;
  const auto add = [&](int row, int size, double coefficient) {
    if (coefficient <= 0.0 || problem_.steps[at + row] == 0.0) return;
    Part& part = parts_.emplace_back();
    part.at = at;
    part.row = row;
    part.size = size;
    part.coefficient = coefficient;
  };
  add(1, 2, cone.sliding);
  add(3, 1, cone.spinning);
  add(4, 2, cone.rolling);
  if (first_.back() == parts_.size()) parts_.emplace_back().at = at;
}

ConePoint InteriorPoint::Gather(const Part& part, const Eigen::VectorXd& rows) const {
  ConePoint point = ConePoint::Zero();
  point[0] = part.coefficient * rows[part.at];
  for (int k = 0; k < part.size; ++k) point[1 + k] = rows[part.at + part.row + k];
  return point;
}

void InteriorPoint::Scatter(const Part& part, const ConePoint& point, Eigen::VectorXd& rows) const {
  rows[part.at] += part.coefficient * point[0];
  for (int k = 0; k < part.size; ++k) rows[part.at + part.row + k] += point[1 + k];
}

// (Gᵀ F G)⁻¹ by eliminating the friction rows: F_TT = (I + 2 t tᵀ) / η² has the inverse
// η² (I − t̂ t̂ᵀ) + η² t̂ t̂ᵀ/(1 + 2 t²), and what is left of the normal is m²/(η² (1 + 2 t²)), t the
// direction's friction rows.
Matrix6 InteriorPoint::InverseOf(size_t block) const {
  Matrix6 inverse = Matrix6::Zero();
  Wrench bound = Wrench::Unit(0);  // what friction does for a unit of the normal
  double normal = 0.0;
  for (size_t k = first_[block]; k < first_[block + 1]; ++k) {
    const Part& part = parts_[k];
    const ConePoint& d = part.scaling.direction;
    const Eigen::Vector2d t = d.tail<2>();
    const double square = t.squaredNorm();
    const double along = 1.0 + 2.0 * square;
    normal += part.coefficient * part.coefficient / (part.scaling.ratio * along);
    Eigen::Matrix2d own = Eigen::Matrix2d::Identity();
    if (square > 0.0) own += t * t.transpose() * ((1.0 / along - 1.0) / square);
    for (int i = 0; i < part.size; ++i) {
      bound[part.row + i] = part.coefficient * 2.0 * d[0] / along * t[i];
      for (int j = 0; j < part.size; ++j) {
        inverse(part.row + i, part.row + j) = part.scaling.ratio * own(i, j);
      }
    }
  }
  return inverse + bound * bound.transpose() / normal;
}

Eigen::VectorXd InteriorPoint::Mismatch() const {
  Eigen::VectorXd reached = Eigen::VectorXd::Zero(impulse_.size());
  Eigen::VectorXd used = reached;
  for (const Part& part : parts_) {
    Scatter(part, part.velocity, reached);
    used[part.at] = 1.0;
    used.segment(part.at + part.row, part.size).setOnes();
  }
  return (VelocityOf(problem_, impulse_) - reached).cwiseProduct(used);
}

double InteriorPoint::Solve(const Eigen::VectorXd& mismatch, double center, bool second_order,
                            Eigen::VectorXd& step) {
  Eigen::VectorXd right = -mismatch;
  for (Part& part : parts_) {
    const ConeScaling& scaling = part.scaling;
    ConePoint lacking = -ConeProduct(scaling.point, scaling.point);
    lacking[0] += center;
    if (second_order) {
      lacking -= ConeProduct(scaling.inverse_root * part.predicted_impulse,
                             scaling.root * part.predicted_velocity);
    }
    part.pushed = scaling.inverse_root * ConeQuotient(lacking, scaling.point);
    Scatter(part, part.pushed, right);
  }
  for (size_t i = 0; i < problem_.block_count(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const Wrench own = inverses_[i] * right.segment<6>(at);
    right.segment<6>(at) = own;
  }
  if (!system_.Solve(right, step)) return 0.0;
  double share = std::numeric_limits<double>::infinity();
  for (Part& part : parts_) {
    const ConePoint impulse_step = Gather(part, step);
    const Eigen::Matrix3d& inverse_root = part.scaling.inverse_root;
    part.step = part.pushed - inverse_root * (inverse_root * impulse_step);
    share = std::min(
        {share, ConeReach(part.impulse, impulse_step), ConeReach(part.velocity, part.step)});
  }
  return share;
}

double InteriorPoint::Advance() {
  double gap = 0.0;
  for (Part& part : parts_) {
    part.impulse = Gather(part, impulse_);
    gap += part.impulse.dot(part.velocity);
    // Round-off has led out of the cone: there is nothing left to gain.
    const bool inside = ConeDeterminant(part.impulse) > 0.0 && part.impulse[0] > 0.0 &&
                        ConeDeterminant(part.velocity) > 0.0 && part.velocity[0] > 0.0;
    if (!inside) return 0.0;
    part.scaling = ScaleCone(part.impulse, part.velocity);
  }
  gap /= static_cast<double>(parts_.size());
  for (size_t i = 0; i < inverses_.size(); ++i) {
    inverses_[i] = InverseOf(i);
    if (!inverses_[i].allFinite()) return 0.0;
  }
  if (!system_.Factorize(inverses_, 1.0)) return 0.0;
  const Eigen::VectorXd mismatch = Mismatch();
  Eigen::VectorXd step;
  const double predicted = std::min(1.0, Solve(mismatch, 0.0, false, step));
  for (Part& part : parts_) {
    part.predicted_impulse = Gather(part, step);
    part.predicted_velocity = part.step;
  }
  const double centering = std::pow(1.0 - predicted, 3);
  double share = std::min(1.0, kKeep * Solve(mismatch, centering * gap, true, step));
  if (share < kShort) {
    share =
        std::min(1.0, kKeep * Solve(mismatch, std::max(kCentered, centering) * gap, false, step));
  }
  if (!(share > 0.0) || !step.allFinite()) return 0.0;
  impulse_ += share * step;
  for (Part& part : parts_) part.velocity += share * part.step;
  return share;
}

}  // namespace talus::matrix
