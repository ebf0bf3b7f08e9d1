#include "solver/solvers/contact_solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "solver/base/check.h"
#include "solver/contact/assemble.h"
#include "solver/contact/delassus.h"
#include "solver/contact/residual.h"
#include "solver/solvers/alart_curnier.h"
#include "solver/solvers/apgd.h"
#include "solver/solvers/psor.h"

namespace talus {

struct ContactSolver::Scratch {
  Coloring coloring;
  ContactProblem problem;
  Iterate iterate;
  AlartCurnier alart_curnier;
  AcceleratedPsor accelerated_psor;
  Psor psor;
  Apgd apgd;
};

namespace {

constexpr size_t kChunk = 512;

// A friction part counts as at its limit within this relative distance: clipping leaves it there to
// rounding.
constexpr double kAtLimit = 1.0 - 1e-9;
// A part without friction is at its limit of zero whatever it does; it counts as moving when its
// velocity, in the metric, exceeds this share of the normal impulse: above what solvers leave
// behind, far below what a step of gravity makes.
constexpr double kMoving = 1e-3;

// Whether one friction part moves: `impulse` and `velocity` are its lengths in SI, `step` its step
// of the metric.
bool IsMoving(double coefficient, double impulse, double velocity, double step,
              double normal_impulse, double normal_step) {
  if (coefficient > 0.0) return impulse >= kAtLimit * coefficient * normal_impulse;
  return step * velocity > kMoving * normal_impulse / normal_step;
}

uint32_t ContactMode(const ContactRow& c, const Wrench& g, const Wrench& u) {
  if (!(g[0] > 0.0)) return 0;
  const auto moving = [&](double coefficient, double impulse, double velocity, int row) {
    return IsMoving(coefficient, impulse, velocity, c.step[row], g[0], c.step[0]);
  };
  uint32_t mode = 1;
  if (moving(c.cone.sliding, std::hypot(g[1], g[2]), std::hypot(u[1], u[2]), 1)) mode |= 2;
  if (moving(c.cone.rolling, std::hypot(g[4], g[5]), std::hypot(u[4], u[5]), 4)) mode |= 4;
  if (moving(c.cone.spinning, std::abs(g[3]), std::abs(u[3]), 3)) mode |= 8;
  return mode;
}

// World impulses of the last step -> admissible impulses in this step's frames, and their
// velocities.
void StartIterate(WorkerArena& workers, const ContactProblem& problem,
                  const std::vector<ContactImpulse>& warm, bool warm_start, Iterate& iterate) {
  iterate.impulse.resize(problem.contact_count());
  ParallelFor(workers, problem.contact_count(), kChunk, [&](size_t i) {
    if (!warm_start) {
      iterate.impulse[i].setZero();
      return;
    }
    const ContactImpulse& p = warm[problem.input_index[i]];
    const ContactFrame& f = problem.contacts[i].frame;
    iterate.impulse[i] << f.n.dot(p.linear), f.u.dot(p.linear), f.w.dot(p.linear),
        f.n.dot(p.angular), f.u.dot(p.angular), f.w.dot(p.angular);
  });
  if (warm_start) ProjectImpulses(workers, problem, iterate);
  ComputeVelocities(workers, problem, iterate);
}

bool IsZero(const ContactImpulse& impulse) {
  return impulse.linear == Vec3::Zero() && impulse.angular == Vec3::Zero();
}

void WriteSolution(WorkerArena& workers, const ContactProblem& problem, const Iterate& iterate,
                   ContactSolution& solution) {
  const size_t count = problem.contact_count();
  solution.wrenches.resize(count);
  solution.frames.resize(count);
  solution.modes.resize(count);
  ParallelFor(workers, count, kChunk, [&](size_t i) {
    const ContactRow& c = problem.contacts[i];
    const size_t input = problem.input_index[i];
    const Wrench& g = iterate.impulse[i];
    solution.impulses[input] = {ForcePart(c, g), TorquePart(c, g)};
    solution.wrenches[input] = g;
    solution.frames[input] = c.frame;
    solution.modes[input] =
        ContactMode(c, g, LocalVelocity(c, iterate.velocity[c.body_a], iterate.velocity[c.body_b]));
  });
  const size_t body_count = iterate.velocity.size();
  solution.linear_velocities.resize(body_count);
  solution.angular_velocities.resize(body_count);
  ParallelFor(workers, body_count, kChunk, [&](size_t row) {
    solution.linear_velocities[row] = iterate.velocity[row].linear;
    solution.angular_velocities[row] = iterate.velocity[row].angular;
  });
}

SolverKind ResolveKind(const SolverSettings& settings) {
  if (settings.solver != SolverKind::kLawDefault) return settings.solver;
  return settings.law == ContactLaw::kNcp ? SolverKind::kAlartCurnier
                                          : SolverKind::kAcceleratedPsor;
}

}  // namespace

ContactSolver::ContactSolver() : scratch_(std::make_unique<Scratch>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

SolveReport ContactSolver::Solve(WorkerArena& workers, const DynamicsView& bodies,
                                 std::span<const ContactInput> contacts,
                                 const AssemblySettings& assembly, const SolverSettings& settings,
                                 bool residual_history, ContactSolution& solution,
                                 double* assembly_seconds) {
  TALUS_CHECK(solution.impulses.size() == contacts.size());
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Scratch& s = *scratch_;
  const SolverKind kind = ResolveKind(settings);
  AssembleProblem(workers, bodies, contacts, assembly, s.coloring, s.problem);
  if (kind == SolverKind::kPsor || kind == SolverKind::kAcceleratedPsor) {
    ComputeBlockBounds(workers, s.problem);
  }
  const bool cold_start = !settings.warm_start || std::ranges::all_of(solution.impulses, IsZero);
  StartIterate(workers, s.problem, solution.impulses, !cold_start, s.iterate);
  if (assembly_seconds != nullptr) {
    *assembly_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  }
  const SolveLimits limits{settings.law, settings.tolerance, settings.max_sweeps, residual_history,
                           cold_start};
  const auto solve = [&](auto& algorithm) {
    return algorithm.Solve(workers, s.problem, limits, s.iterate);
  };
  SolveReport report = kind == SolverKind::kAlartCurnier      ? solve(s.alart_curnier)
                       : kind == SolverKind::kAcceleratedPsor ? solve(s.accelerated_psor)
                       : kind == SolverKind::kPsor            ? solve(s.psor)
                                                              : solve(s.apgd);
  report.color_count = static_cast<int32_t>(s.problem.color_count());
  report.worst_contact_residual = ComputeWorstContactResidual(
      workers, s.problem, settings.law, s.iterate.impulse, s.iterate.velocity);
  ComputeVelocities(workers, s.problem, s.iterate);
  WriteSolution(workers, s.problem, s.iterate, solution);
  return report;
}

}  // namespace talus
