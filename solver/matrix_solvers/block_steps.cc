#include "solver/matrix_solvers/block_steps.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/matrix_solvers/alart_curnier_step.h"

namespace talus::matrix {
namespace {

constexpr int kBlockNewtonSteps = 30;
constexpr int kPlainSteps = 25;

double LargestEigenvalue(const Matrix6& w) {
  return Eigen::SelfAdjointEigenSolver<Matrix6>(w, Eigen::EigenvaluesOnly).eigenvalues()[5];
}

// Of a symmetric block of two rows.
double LargestOfTwo(double a, double b, double off) {
  const double half = 0.5 * (a - b);
  return 0.5 * (a + b) + std::sqrt(half * half + off * off);
}

double InverseOf(double stiffness) { return stiffness > 0.0 ? 1.0 / stiffness : 0.0; }

// (I − J (I − s W)) Δ = x − target, J the derivative of the projection.
Wrench SolveNewtonStep(const Matrix6& derivative, const Matrix6& moved, const Wrench& rest) {
  // A block that sticks and rolls is held by W alone, which is symmetric.
  if (derivative.isIdentity(0.0)) return moved.ldlt().solve(rest);
  const Matrix6 slope = Matrix6::Identity() - derivative * (Matrix6::Identity() - moved);
  return slope.fullPivLu().solve(rest);
}

}  // namespace

Wrench StepWithinBounds(const BlockLaw& law, const Matrix6& w, const Wrench& impulse,
                        const Wrench& velocity) {
  Wrench next = impulse;
  Wrench u = velocity;
  for (int row = 0; row < 6; ++row) {
    if (!(w(row, row) > 0.0)) continue;
    const double value =
        std::clamp(next[row] - u[row] / w(row, row), law.lower[row], law.upper[row]);
    u += w.col(row) * (value - next[row]);
    next[row] = value;
  }
  return next;
}

Wrench StepProjected(const BlockLaw& law, const Matrix6& w, double length, const Wrench& impulse,
                     const Wrench& velocity) {
  if (law.kind == BlockLawKind::kBounds) return StepWithinBounds(law, w, impulse, velocity);
  return ProjectToCone(law.cone, impulse - length * velocity);
}

std::vector<double> ProjectedStepLengths(const ScaledProblem& problem, double relaxation) {
  std::vector<double> lengths;
  lengths.reserve(problem.block_count());
  for (size_t i = 0; i < problem.block_count(); ++i) {
    const double largest = LargestEigenvalue(problem.delassus.Diagonal(i));
    lengths.push_back(largest > 0.0 ? relaxation / largest : 0.0);
  }
  return lengths;
}

PartSteps PartStepsOf(const Matrix6& w) {
  return {InverseOf(w(0, 0)), InverseOf(LargestOfTwo(w(1, 1), w(2, 2), w(1, 2))),
          InverseOf(w(3, 3)), InverseOf(LargestOfTwo(w(4, 4), w(5, 5), w(4, 5)))};
}

std::vector<PartSteps> PartStepsOfBlocks(const ScaledProblem& problem) {
  std::vector<PartSteps> steps;
  steps.reserve(problem.block_count());
  for (size_t i = 0; i < problem.block_count(); ++i) {
    steps.push_back(PartStepsOf(problem.delassus.Diagonal(i)));
  }
  return steps;
}

std::optional<Wrench> StickingImpulse(const BlockLaw& law, Matrix6 w, const Wrench& free) {
  if (law.kind == BlockLawKind::kBounds) return std::nullopt;
  // A row without any mobility, as where nothing can spin, does not move by itself.
  for (int row = 0; row < 6; ++row) {
    if (w(row, row) == 0.0) w(row, row) = 1.0;
  }
  const Eigen::LLT<Matrix6> factor(w);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Wrench impulse = -factor.solve(free);
  if (ProjectToCone(law.cone, impulse) != impulse) return std::nullopt;
  return impulse;
}

Wrench SolveBlock(ContactLaw contact_law, const BlockLaw& law, const Matrix6& w, double tolerance,
                  const Wrench& impulse, const Wrench& velocity) {
  if (law.kind == BlockLawKind::kBounds) return StepWithinBounds(law, w, impulse, velocity);
  const Wrench free = velocity - w * impulse;
  const bool ncp = contact_law == ContactLaw::kNcp;
  // Any step below two over the largest eigenvalue will do, which is at most the largest row sum.
  const double step = 1.0 / w.cwiseAbs().rowwise().sum().maxCoeff();
  const auto move = [&](const Wrench& x) { return Wrench(x - step * (w * x + free)); };
  const auto map = [&](const Wrench& x) {
    return ncp ? ClipToCone(law.cone, move(x)) : ProjectToCone(law.cone, move(x));
  };
  Wrench x = impulse;
  Wrench target = map(x);
  Wrench best = target;
  double least = (x - target).norm();
  if (least > tolerance) {
    if (const auto sticking = StickingImpulse(law, w, free)) {
      const Wrench stuck = map(*sticking);
      if ((stuck - *sticking).norm() <= tolerance) return stuck;
    }
  }
  for (int i = 0; i < kBlockNewtonSteps && least > tolerance; ++i) {
    const Matrix6 derivative =
        ncp ? ClippingDerivative(law.cone, move(x)) : ProjectionDerivative(law.cone, move(x));
    const Wrench next = x - SolveNewtonStep(derivative, step * w, x - target);
    if ((next - map(next)).norm() < (x - target).norm()) {
      x = next;
    } else {
      // Plain steps bring it nearer to where Newton's work.
      for (int k = 0; k < kPlainSteps; ++k) {
        x = ncp ? StepAlartCurnier(law, w, PartStepsOf(w), x, w * x + free) : map(x);
      }
    }
    target = map(x);
    if ((x - target).norm() >= least) continue;
    least = (x - target).norm();
    best = target;
  }
  return best;
}

}  // namespace talus::matrix
