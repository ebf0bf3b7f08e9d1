#include "solver/solvers/contact_solver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "solver/base/check.h"
#include "solver/base/slack.h"
#include "solver/contact/assemble.h"
#include "solver/contact/chunk_loop.h"
#include "solver/contact/contact_frame.h"
#include "solver/contact/residual.h"
#include "solver/parallel/ordered_reduce.h"
#include "solver/solvers/alart_curnier.h"
#include "solver/solvers/apgd.h"
#include "solver/solvers/matrix_step.h"
#include "solver/solvers/mechanism.h"
#include "solver/solvers/newton.h"
#include "solver/solvers/pivoting.h"
#include "solver/solvers/psor.h"

namespace talus {

struct ContactSolver::Scratch {
  AssemblyScratch assembly;
  ContactProblem problem;
  Iterate iterate;
  AlartCurnier alart_curnier;
  AcceleratedPsor accelerated_psor;
  Psor psor;
  Apgd apgd;
  Newton newton;

  // By an algorithm on the lanes of contacts.
  SolveReport Sweep(SolverKind kind, WorkerArena& workers, const SolveLimits& limits) {
    const auto solve = [&](auto& algorithm) {
      return algorithm.Solve(workers, problem, limits, iterate);
    };
    switch (kind) {
      case SolverKind::kAlartCurnier:
        return solve(alart_curnier);
      case SolverKind::kAcceleratedPsor:
        return solve(accelerated_psor);
      case SolverKind::kPsor:
        return solve(psor);
      case SolverKind::kNewton:
        return solve(newton);
      default:
        return solve(apgd);
    }
  }
};

namespace {

constexpr size_t kVelocityChunk = 512;

// Large problems hold their blocks in floats where the tolerance asks for no more: half of the
// memory (docs/decisions/0012-blocks-in-floats.md).
constexpr double kLooseTolerance = 1e-4;
constexpr size_t kManyContacts = 1024;

template <typename Stored>
ContactFrame FrameOf(const ContactBlockOf<Stored>& block, size_t lane) {
  const Vec3 n(block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]);
  const Vec3 u(block.tangent[0][lane], block.tangent[1][lane], block.tangent[2][lane]);
  return {n, u, n.cross(u)};
}

// World impulses of the last step -> admissible impulses in this step's frames, and their
// velocities: from v_free on, which the assembly has left there.
void StartIterate(WorkerArena& workers, const ContactProblem& problem, const WarmStart& warm,
                  bool cold_start, Iterate& iterate) {
  ResizeBuffer(iterate.impulse, problem.layout.block_count());
  ParallelFor(workers, iterate.impulse.size(), kVelocityChunk,
              [&](size_t index) { iterate.impulse[index] = WrenchBlock{}; });
  if (cold_start) return;
  ForEachSlot(workers, problem, [&](uint32_t index, size_t lane, uint32_t contact) {
    if (warm.entries[contact] == kNotKept) return;
    const CachedImpulse& p = warm.impulses[warm.entries[contact]];
    const ContactFrame f = problem.in_floats ? FrameOf(problem.float_blocks[index], lane)
                                             : FrameOf(problem.blocks[index], lane);
    const Vec3 linear = p.linear / problem.units.force();
    const Vec3 angular = p.angular / problem.units.torque();
    Wrench wrench;
    wrench << f.n.dot(linear), f.u.dot(linear), f.w.dot(linear), f.n.dot(angular), f.u.dot(angular),
        f.w.dot(angular);
    iterate.impulse[index].Set(lane, wrench);
  });
  ProjectImpulses(workers, problem, iterate);
  AddImpulses(workers, problem, iterate);
}

// From the units of the problem to SI.
void ChangeUnits(const ProblemUnits& units, WrenchBlock& impulse) {
  for (int k = 0; k < 6; ++k) {
    for (double& value : impulse.row[k]) value *= units.impulse(k);
  }
}

// Where the contacts of a chunk stand and what they do; their impulses come to be in SI. Returns
// what DescribeContacts does.
double DescribeChunk(const ContactProblem& problem, const BlockChunk& chunk, ContactLaw law,
                     Iterate& iterate, ContactSolution& solution) {
  std::array<uint8_t, kChunkBlocks * kLanes> modes;
  const double worst = DescribeContacts(problem.span(), chunk, law, iterate.impulse.data(),
                                        iterate.motion.data(), modes.data());
  const size_t first = chunk.begin * kLanes;
  for (size_t slot = first; slot < chunk.end * kLanes; ++slot) {
    const uint32_t contact = problem.layout.slot_contact[slot];
    if (contact == kNoContact) continue;
    solution.slots[contact] = static_cast<uint32_t>(slot);
    solution.modes[contact] = modes[slot - first];
  }
  if (problem.in_floats) {
    for (uint32_t index = chunk.begin; index < chunk.end; ++index) {
      ChangeUnits(problem.units, iterate.impulse[index]);
    }
  }
  return worst;
}

// Returns the residual η of the worst contact.
double WriteSolution(WorkerArena& workers, const ContactProblem& problem,
                     const DynamicsView& bodies, size_t contact_count, ContactLaw law,
                     const SolvedVelocities& velocities, Iterate& iterate,
                     ContactSolution& solution) {
  solution.kept.clear();
  ResizeBuffer(solution.slots, contact_count);
  ResizeBuffer(solution.modes, contact_count);
  const double worst = OrderedReduce(
      workers, problem.layout.chunks.size(), 1, 0.0,
      [&](size_t i) {
        return DescribeChunk(problem, problem.layout.chunks[i], law, iterate, solution);
      },
      [](double a, double b) { return std::max(a, b); });
  ParallelFor(workers, bodies.inverse_masses.size(), kVelocityChunk, [&](size_t body) {
    const uint32_t row = problem.rows.row[body];
    const bool free = row == kNoRow;
    velocities.linear[body] = free ? bodies.free_linear_velocities[body]
                                   : problem.units.speed * iterate.motion[row].Linear();
    velocities.angular[body] = free ? bodies.free_angular_velocities[body]
                                    : problem.units.turn() * iterate.motion[row].Angular();
  });
  solution.impulse_blocks.swap(iterate.impulse);
  return WorstContactResidual(problem, worst);
}

bool StartsCold(const SolverSettings& settings, const WarmStart& warm) {
  return HasFlatSides(settings.law) || !settings.warm_start || warm.IsCold();
}

// Which friction is at its limit by the law's own bounds, instead of Coulomb's.
void CorrectModes(const PivotedStep& step, std::span<uint8_t> modes) {
  for (size_t i = 0; i < modes.size(); ++i) {
    modes[i] = static_cast<uint8_t>((modes[i] & ~step.friction_bits[i]) | step.bits_at_limit[i]);
  }
}

}  // namespace

ContactSolver::ContactSolver() : scratch_(std::make_unique<Scratch>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

void ContactSolver::Assemble(WorkerArena& workers, const DynamicsView& bodies,
                             std::span<const ContactInput> contacts, const WarmStart& warm,
                             const AssemblySettings& assembly, const SolverSettings& settings,
                             bool joined, std::span<const ContactCompliance> compliance) {
  TALUS_CHECK(warm.entries.empty() || warm.entries.size() == contacts.size());
  Scratch& s = *scratch_;
  const SolverKind kind = ResolveSolver(settings, joined);
  const SweepKind sweeps = kind == SolverKind::kAlartCurnier ||
                                   (kind == SolverKind::kNewton && settings.law == ContactLaw::kNcp)
                               ? SweepKind::kAlartCurnier
                               : SweepKind::kProjected;
  const bool pivots = HasFlatSides(settings.law);
  const bool cold_start = StartsCold(settings, warm);
  const bool in_floats = settings.tolerance >= kLooseTolerance &&
                         contacts.size() >= kManyContacts && kind != SolverKind::kNewton &&
                         !pivots && !joined && !TakesMatrices(settings) && compliance.empty();
  AssembleProblem(workers, bodies, contacts, cold_start ? WarmStart{} : warm, assembly,
                  {sweeps, in_floats}, s.assembly, s.problem, s.iterate.motion, compliance);
  StartIterate(workers, s.problem, warm, cold_start, s.iterate);
}

SolveReport ContactSolver::Solve(WorkerArena& workers, const DynamicsView& bodies,
                                 std::span<const ContactInput> contacts, const WarmStart& warm,
                                 const AssemblySettings& assembly, const SolverSettings& settings,
                                 const SolveOptions& options, const SolvedVelocities& velocities,
                                 ContactSolution& solution, double* assembly_seconds,
                                 const JointSolution& joints,
                                 std::span<const ContactCompliance> compliance, bool assembled) {
  TALUS_CHECK(joints.rows.size() == joints.impulses.size());
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Scratch& s = *scratch_;
  const bool pivots = HasFlatSides(settings.law);
  const bool joined = !joints.rows.empty();
  const bool cold_start = StartsCold(settings, warm);
  solution.old_impulse.resize(0);
  if (pivots && settings.warm_start) {
    solution.old_impulse = FindOldImpulse(bodies, contacts, warm, assembly.time_step_s, joints);
  }
  if (!assembled) {
    // The blocks of the last answer are the memory of the next one.
    s.iterate.impulse.swap(solution.impulse_blocks);
    Assemble(workers, bodies, contacts, warm, assembly, settings, joined, compliance);
  }
  if (assembly_seconds != nullptr) {
    *assembly_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  }
  const SolveLimits limits{.law = settings.law,
                           .tolerance = settings.tolerance,
                           .max_sweeps = settings.max_sweeps,
                           .residual_history = options.residual_history,
                           .cold_start = cold_start,
                           .stop = options.stop};
  PivotedStep pivoted;
  if (pivots) {
    pivoted = SolveByPivots(workers, s.problem, bodies,
                            {.settings = settings,
                             .time_step_s = assembly.time_step_s,
                             .old_impulse = solution.old_impulse,
                             .residual_history = options.residual_history,
                             .stop = options.stop},
                            joints, s.iterate);
  }
  SolveReport report =
      pivots ? std::move(pivoted.report)
      : joined || TakesMatrices(settings)
          ? SolveMatrixStep(workers, s.problem, bodies, settings, limits, joints, s.iterate)
          : s.Sweep(ResolveSolver(settings, false), workers, limits);
  report.color_count = static_cast<int32_t>(s.problem.layout.color_count);
  report.strand_count = static_cast<int32_t>(s.problem.layout.strand_count());
  ComputeVelocities(workers, s.problem, s.iterate);
  AddJointImpulses(s.problem, joints, s.iterate.motion);
  const double worst = WriteSolution(workers, s.problem, bodies, contacts.size(), settings.law,
                                     velocities, s.iterate, solution);
  if (pivots) {
    CorrectModes(pivoted, solution.modes);
  } else {
    report.worst_contact_residual = worst;
  }
  AddJointImpulses(s.problem, bodies, joints, velocities);
  return report;
}

}  // namespace talus
