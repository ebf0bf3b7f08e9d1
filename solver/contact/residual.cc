#include "solver/contact/residual.h"

#include <algorithm>
#include <cmath>

#include "solver/parallel/ordered_reduce.h"

namespace talus {
namespace {

ResidualParts Measure(WorkerArena& workers, const ContactProblem& problem, ContactLaw law,
                      bool worst, const std::vector<WrenchBlock>& impulse,
                      const std::vector<BodyMotion>& motion) {
  return OrderedReduce(
      workers, problem.layout.chunks.size(), 1, ResidualParts{},
      [&](size_t i) {
        return MeasureResidual(problem.span(), problem.layout.chunks[i], law, worst, impulse.data(),
                               motion.data());
      },
      [](const ResidualParts& a, const ResidualParts& b) {
        return ResidualParts{a.violation + b.violation, a.impulse + b.impulse,
                             std::max(a.worst_violation, b.worst_violation)};
      });
}

}  // namespace

void MeasureDriving(WorkerArena& workers, ContactProblem& problem) {
  const DrivingParts parts = OrderedReduce(
      workers, problem.layout.chunks.size(), 1, DrivingParts{},
      [&](size_t i) {
        return MeasureDriving(problem.span(), problem.layout.chunks[i], problem.free_motion.data());
      },
      [](const DrivingParts& a, const DrivingParts& b) {
        return DrivingParts{a.pressing + b.pressing, std::max(a.largest, b.largest)};
      });
  problem.free_scale = std::sqrt(parts.pressing);
  problem.largest_free = std::sqrt(parts.largest);
}

double ComputeResidual(WorkerArena& workers, const ContactProblem& problem, ContactLaw law,
                       const std::vector<WrenchBlock>& impulse,
                       const std::vector<BodyMotion>& motion) {
  const ResidualParts sum = Measure(workers, problem, law, false, impulse, motion);
  if (sum.violation == 0.0) return 0.0;
  const double scale = problem.free_scale > 0.0 ? problem.free_scale : std::sqrt(sum.impulse);
  return scale > 0.0 ? std::sqrt(sum.violation) / scale : std::sqrt(sum.violation);
}

double ComputeWorstContactResidual(WorkerArena& workers, const ContactProblem& problem,
                                   ContactLaw law, const std::vector<WrenchBlock>& impulse,
                                   const std::vector<BodyMotion>& motion) {
  const double violation =
      std::sqrt(Measure(workers, problem, law, true, impulse, motion).worst_violation);
  return violation == 0.0 || problem.largest_free == 0.0 ? violation
                                                         : violation / problem.largest_free;
}

}  // namespace talus
