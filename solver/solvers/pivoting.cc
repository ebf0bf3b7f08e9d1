#include "solver/solvers/pivoting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/base/field_error.h"
#include "solver/contact/chunk_loop.h"
#include "solver/contact/contact_frame.h"
#include "solver/contact/friction_memory.h"
#include "solver/lcp/block_pivoting.h"
#include "solver/lcp/flat_law.h"
#include "solver/lcp/flat_problem.h"
#include "solver/solvers/friction_gauge.h"
#include "solver/solvers/step_matrices.h"

namespace talus {
namespace {

// A friction part is at its limit within this share of it: pivots leave it there to rounding.
constexpr double kAtLimit = 1.0 - 1e-9;
// Bits of ContactSolution::modes.
constexpr uint8_t kSlidingBit = 2;
constexpr uint8_t kRollingBit = 4;
constexpr uint8_t kSpinningBit = 8;

const char* NameOf(ContactLaw law) {
  return law == ContactLaw::kBox ? "BOX" : law == ContactLaw::kPolygonal ? "POLYGONAL" : "BRISTLE";
}

absl::StatusOr<lcp::ContactMlcp> AssembleLaw(const MatrixProblem& problem, const PivotedLaw& law) {
  const SolverSettings& settings = law.settings;
  return lcp::AssembleFlatLaw(problem,
                              {.law = settings.law,
                               .facet_count = settings.facet_count,
                               .bristles = {.stiffness = settings.bristle_stiffness_n_m,
                                            .slip_threshold = settings.slip_threshold_m_s,
                                            .time_step_s = law.time_step_s}},
                              law.old_impulse);
}

// The rows of the law that the last impulses are; nothing where there were none. A polygon has many
// ways to say an impulse, and starts cold.
Eigen::VectorXd FindStart(const lcp::ContactMlcp& contact, const PivotedLaw& law) {
  const bool cold = law.old_impulse.size() == 0 || law.old_impulse.isZero(0.0);
  if (cold || law.settings.law == ContactLaw::kPolygonal) return {};
  return contact.RowsOf(law.old_impulse);
}

// The impulses, and how well they solve it. What is no problem, of numbers that are not finite,
// leaves no numbers, which the step's check makes a fault of.
SolveReport Solve(const MatrixProblem& problem, const PivotedLaw& law, Eigen::VectorXd& impulse) {
  const SolverSettings& settings = law.settings;
  SolveReport report;
  report.outcome = SolveOutcome::kStalled;
  report.residual = 1.0;
  report.worst_contact_residual = 1.0;
  const absl::StatusOr<lcp::ContactMlcp> contact = AssembleLaw(problem, law);
  impulse.setConstant(std::numeric_limits<double>::quiet_NaN());
  if (!contact.ok()) return report;
  const bool lemke = settings.solver == SolverKind::kLemke;
  const lcp::PivotLimits limits{
      .tolerance = settings.tolerance,
      .max_pivots = settings.max_sweeps,
      .method = lemke ? lcp::PivotMethod::kLemkeAlone : lcp::PivotMethod::kBlocksFirst,
      .residual_history = law.residual_history,
      .stop = law.stop};
  absl::StatusOr<lcp::PivotAnswer> answer =
      lcp::SolveByPivoting(contact->mlcp, limits, FindStart(*contact, law));
  if (!answer.ok()) return report;
  impulse = contact->ImpulseOf(answer->z);
  report.outcome = lcp::OutcomeOf(answer->report, settings.tolerance);
  report.residual = answer->report.residual;
  report.worst_contact_residual = lcp::Certify(*contact, answer->z).worst_block_residual;
  report.sweep_count = answer->report.pivot_count();
  report.residual_history = std::move(answer->report.residual_history);
  return report;
}

Wrench InFrameOf(const ContactInput& contact, const CachedImpulse& p) {
  const ContactFrame f = MakeContactFrame(contact.normal);
  Wrench wrench;
  wrench << f.n.dot(p.linear), f.u.dot(p.linear), f.w.dot(p.linear), f.n.dot(p.angular),
      f.u.dot(p.angular), f.w.dot(p.angular);
  return wrench;
}

// Whether a part is at the limit of its law, in the bits of modes.
void DescribeFriction(const FrictionCone& cone, const SolverSettings& settings,
                      const Wrench& impulse, uint8_t& known, uint8_t& at_limit) {
  const auto describe = [&](double coefficient, double used, uint8_t bit) {
    if (!(coefficient > 0.0)) return;
    known |= bit;
    if (impulse[0] > 0.0 && used >= kAtLimit * coefficient * impulse[0]) at_limit |= bit;
  };
  const auto gauge = [&](int row) {
    return GaugeFriction(settings.law, settings.facet_count, impulse[row], impulse[row + 1]);
  };
  describe(cone.sliding, gauge(1), kSlidingBit);
  describe(cone.rolling, gauge(4), kRollingBit);
  describe(cone.spinning, std::abs(impulse[3]), kSpinningBit);
}

}  // namespace

size_t FindMostPivoted(const SolverSettings& settings) {
  const int facets = settings.law == ContactLaw::kPolygonal ? settings.facet_count : 0;
  return std::min(kMaxPivotedBlocks, kMaxPivotedRows / static_cast<size_t>(6 + 2 * facets));
}

absl::Status CheckPivotedCount(const SolverSettings& settings, size_t contact_count,
                               size_t joint_count) {
  const size_t count = contact_count + joint_count;
  const size_t most = FindMostPivoted(settings);
  if (count <= most) return absl::OkStatus();
  return FieldError("size(contacts)", FormatValue(uint64_t{count}),
                    "must be <= " + FormatValue(uint64_t{most}) +
                        ", joints included, where the law is " + NameOf(settings.law) +
                        (most < kMaxPivotedBlocks ? " of so many facets" : ""),
                    absl::StatusCode::kResourceExhausted);
}

absl::Status CheckLemkeRows(const SolverSettings& settings, const DynamicsView& bodies,
                            std::span<const ContactInput> contacts,
                            std::span<const JointRows> joints) {
  if (settings.solver != SolverKind::kLemke) return absl::OkStatus();
  const lcp::FlatLaw law{.law = settings.law, .facet_count = settings.facet_count};
  Eigen::Index rows = 0;
  for (const ContactInput& contact : contacts) {
    const Material pair = bodies.PairOf(contact.material_a, contact.material_b);
    rows += lcp::CountLemkeRows({.cone = {.sliding = pair.sliding_friction,
                                          .spinning = pair.spinning_friction_m,
                                          .rolling = pair.rolling_friction_m}},
                                law);
  }
  for (const JointRows& joint : joints) {
    rows += lcp::CountLemkeRows(
        {.kind = BlockLawKind::kBounds, .cone = {}, .lower = joint.lower, .upper = joint.upper},
        law);
  }
  if (rows <= lcp::kMaxLemkeRows) return absl::OkStatus();
  return FieldError(
      "size(contacts)",
      FormatValue(uint64_t{contacts.size()}) + " of " + FormatValue(int64_t{rows}) + " rows",
      "must have <= " + FormatValue(int64_t{lcp::kMaxLemkeRows}) +
          " rows, joints included, where the solver is LEMKE",
      absl::StatusCode::kResourceExhausted);
}

Eigen::VectorXd FindOldImpulse(const DynamicsView& bodies, std::span<const ContactInput> contacts,
                               const WarmStart& warm, double time_step_s,
                               const JointSolution& joints) {
  Eigen::VectorXd old = Eigen::VectorXd::Zero(FirstRow(contacts.size() + joints.rows.size()));
  for (size_t i = 0; i < warm.entries.size(); ++i) {
    const uint32_t row = warm.entries[i];
    if (row == kNotKept) continue;
    old.segment<6>(FirstRow(i)) = warm.normals.empty()
                                      ? InFrameOf(contacts[i], warm.impulses[row])
                                      : RecallImpulse(warm.impulses[row], warm.normals[row],
                                                      contacts[i], bodies, time_step_s);
  }
  for (size_t i = 0; i < joints.impulses.size(); ++i) {
    old.segment<6>(FirstRow(contacts.size() + i)) = joints.impulses[i];
  }
  return old;
}

PivotedStep SolveByPivots(WorkerArena& workers, const ContactProblem& problem,
                          const DynamicsView& bodies, const PivotedLaw& law,
                          const JointSolution& joints, Iterate& iterate) {
  const MatrixProblem matrices = FormStepMatrices(problem, bodies, joints.rows, iterate.motion);
  Eigen::VectorXd impulse(matrices.row_count());
  PivotedStep step{Solve(matrices, law, impulse), {}, {}};
  const size_t contact_count = matrices.block_count() - joints.rows.size();
  step.friction_bits.assign(contact_count, 0);
  step.bits_at_limit.assign(contact_count, 0);
  ForEachSlot(workers, problem, [&](uint32_t index, size_t lane, uint32_t contact) {
    const Wrench wrench = impulse.segment<6>(FirstRow(contact));
    iterate.impulse[index].Set(lane, wrench);
    DescribeFriction(matrices.laws[contact].cone, law.settings, wrench, step.friction_bits[contact],
                     step.bits_at_limit[contact]);
  });
  for (size_t i = 0; i < joints.rows.size(); ++i) {
    joints.impulses[i] = impulse.segment<6>(FirstRow(contact_count + i));
  }
  return step;
}

}  // namespace talus
