#include "solver/contact/residual.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/assemble.h"
#include "solver/contact/delassus.h"
#include "solver/contact/laws/contact_law.h"
#include "solver/parallel/ordered_reduce.h"

namespace talus {
namespace {

constexpr size_t kChunk = 512;

Wrench PairedVelocity(ContactLaw law, const RollingCone& cone, const Wrench& u) {
  return law == ContactLaw::kNcp ? NcpLaw::PairedVelocity(cone, u)
                                 : CcpLaw::PairedVelocity(cone, u);
}

struct SquaredNorms {
  double violation = 0.0;
  double impulse = 0.0;
};

struct WorstNorms {
  double violation = 0.0;
  double free = 0.0;
};

}  // namespace

double ComputeResidual(WorkerArena& workers, const ContactProblem& problem, ContactLaw law,
                       const std::vector<Wrench>& impulse,
                       const std::vector<BodyVelocity>& velocity) {
  const SquaredNorms sum = OrderedReduce(
      workers, problem.contact_count(), kChunk, SquaredNorms{},
      [&](size_t i) {
        const ContactRow& c = problem.contacts[i];
        const Wrench u =
            PairedVelocity(law, c.cone, LocalVelocity(c, velocity[c.body_a], velocity[c.body_b]));
        const Wrench scaled = impulse[i].cwiseQuotient(c.step);
        const Wrench projected = ProjectToCone(ScaledCone(c), scaled - c.step.cwiseProduct(u));
        return SquaredNorms{(scaled - projected).squaredNorm(), scaled.squaredNorm()};
      },
      [](const SquaredNorms& a, const SquaredNorms& b) {
        return SquaredNorms{a.violation + b.violation, a.impulse + b.impulse};
      });
  if (sum.violation == 0.0) return 0.0;
  const double scale = problem.free_scale > 0.0 ? problem.free_scale : std::sqrt(sum.impulse);
  return scale > 0.0 ? std::sqrt(sum.violation) / scale : std::sqrt(sum.violation);
}

double ComputeWorstContactResidual(WorkerArena& workers, const ContactProblem& problem,
                                   ContactLaw law, const std::vector<Wrench>& impulse,
                                   const std::vector<BodyVelocity>& velocity) {
  const WorstNorms worst = OrderedReduce(
      workers, problem.contact_count(), kChunk, WorstNorms{},
      [&](size_t i) {
        const ContactRow& c = problem.contacts[i];
        const double length = std::sqrt(2.0 * c.block(0, 0) / (c.block(4, 4) + c.block(5, 5)));
        Wrench unit;  // ũ = unit * u, p̃ = p / unit
        unit << 1.0, 1.0, 1.0, length, length, length;
        const RollingCone cone{c.cone.sliding, c.cone.rolling / length, c.cone.spinning / length};
        const double rho = 1.0 / LargestRowSum(unit.asDiagonal() * c.block * unit.asDiagonal());
        const Wrench u =
            PairedVelocity(law, c.cone, LocalVelocity(c, velocity[c.body_a], velocity[c.body_b]));
        const Wrench r =
            LocalVelocity(c, problem.free_velocity[c.body_a], problem.free_velocity[c.body_b]);
        const Wrench p = impulse[i].cwiseQuotient(unit);
        const Wrench moved = ProjectToCone(cone, p - rho * unit.cwiseProduct(u));
        return WorstNorms{(p - moved).norm() / rho, unit.cwiseProduct(r).norm()};
      },
      [](const WorstNorms& a, const WorstNorms& b) {
        return WorstNorms{std::max(a.violation, b.violation), std::max(a.free, b.free)};
      });
  if (worst.violation == 0.0) return 0.0;
  return worst.free > 0.0 ? worst.violation / worst.free : worst.violation;
}

}  // namespace talus
