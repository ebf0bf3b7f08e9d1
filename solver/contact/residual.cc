#include "solver/contact/residual.h"

#include <algorithm>
#include <cmath>

#include "solver/parallel/ordered_reduce.h"

namespace talus {

void MeasureDriving(WorkerArena& workers, ContactProblem& problem,
                    std::span<const BodyMotion> motion) {
  const DrivingParts parts = OrderedReduce(
      workers, problem.layout.chunks.size(), 1, DrivingParts{},
      [&](size_t i) {
        return MeasureDriving(problem.span(), problem.layout.chunks[i], motion.data());
      },
      [](const DrivingParts& a, const DrivingParts& b) {
        return DrivingParts{a.pressing + b.pressing, std::max(a.largest, b.largest)};
      });
  problem.free_scale = std::sqrt(parts.pressing);
  problem.largest_free = std::sqrt(parts.largest);
}

double ComputeResidual(WorkerArena& workers, const ContactProblem& problem, ContactLaw law,
                       std::span<const WrenchBlock> impulse, std::span<const BodyMotion> motion) {
  const ResidualParts sum = OrderedReduce(
      workers, problem.layout.chunks.size(), 1, ResidualParts{},
      [&](size_t i) {
        return MeasureResidual(problem.span(), problem.layout.chunks[i], law, impulse.data(),
                               motion.data());
      },
      [](const ResidualParts& a, const ResidualParts& b) {
        return ResidualParts{a.violation + b.violation, a.impulse + b.impulse};
      });
  if (sum.violation == 0.0) return 0.0;
  const double scale = problem.free_scale > 0.0 ? problem.free_scale : std::sqrt(sum.impulse);
  return scale > 0.0 ? std::sqrt(sum.violation) / scale : std::sqrt(sum.violation);
}

double WorstContactResidual(const ContactProblem& problem, double largest_violation) {
  const double violation = std::sqrt(largest_violation);
  return violation == 0.0 || problem.largest_free == 0.0 ? violation
                                                         : violation / problem.largest_free;
}

double ComputeWorstContactResidual(WorkerArena& workers, const ContactProblem& problem,
                                   ContactLaw law, std::span<const WrenchBlock> impulse,
                                   std::span<const BodyMotion> motion) {
  return WorstContactResidual(problem, OrderedReduce(
                                           workers, problem.layout.chunks.size(), 1, 0.0,
                                           [&](size_t i) {
                                             return DescribeContacts(
                                                 problem.span(), problem.layout.chunks[i], law,
                                                 impulse.data(), motion.data(), nullptr);
                                           },
                                           [](double a, double b) { return std::max(a, b); }));
}

}  // namespace talus
