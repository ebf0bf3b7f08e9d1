#include "tests/bench/peers/record_quality.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/assemble.h"
#include "solver/contact/chunk_loop.h"
#include "solver/contact/residual.h"
#include "solver/scene/mass_properties.h"
#include "tests/bench/peers/free_bodies.h"
#include "tests/support/scalar_contact.h"

namespace talus::peers {
namespace {

// Impacts below this speed do not bounce; without restitution none does.
constexpr double kRestitutionThreshold = 0.01;

std::vector<ContactInput> MakeInputs(const StepRecord& record) {
  std::vector<ContactInput> inputs;
  for (const RecordContact& contact : record.contacts) {
    inputs.push_back({contact.body_a, contact.body_b, contact.point, contact.normal.normalized(),
                      contact.gap_m, 0, 0});
  }
  return inputs;
}

// Residual and eta: the one place that assembles our problem and asks for them.
void JudgeImpulses(WorkerArena& workers, const FreeBodies& bodies, const StepRecord& record,
                   const std::vector<BodyVelocity>& velocity, RecordQuality& quality) {
  AssemblyScratch scratch;
  ContactProblem problem;
  std::vector<BodyMotion> motion;
  AssembleProblem(
      workers, bodies.view(), MakeInputs(record), {},
      {record.before.time_step_s, record.before.recovery_speed_m_s, kRestitutionThreshold}, {},
      scratch, problem, motion);
  std::vector<WrenchBlock> impulses(problem.blocks.size());
  ForEachSlot(workers, problem, [&](uint32_t index, size_t lane, uint32_t i) {
    const RecordContact& contact = record.contacts[i];
    const ContactFrame row = testing::ReadFrame(problem.blocks[index], lane);
    Wrench impulse;
    impulse << row.n.dot(contact.linear_impulse), row.u.dot(contact.linear_impulse),
        row.w.dot(contact.linear_impulse), row.n.dot(contact.angular_impulse),
        row.u.dot(contact.angular_impulse), row.w.dot(contact.angular_impulse);
    impulses[index].Set(lane, impulse);
  });
  for (size_t row = 0; row < problem.rows.count(); ++row) {
    const BodyVelocity& of_body = velocity[problem.rows.body[row]];
    motion[row].Set(of_body.linear, of_body.angular);
  }
  quality.residual = ComputeResidual(workers, problem, ContactLaw::kNcp, impulses, motion);
  quality.worst_contact_residual =
      ComputeWorstContactResidual(workers, problem, ContactLaw::kNcp, impulses, motion);
}

double WeightCarried(const StepRecord& record) {
  const PeerState& state = record.before;
  const double gravity = state.gravity_m_s2.norm();
  double weight = 0.0;
  for (const PeerBody& body : state.bodies) weight += body.mass_kg * gravity;
  if (weight == 0.0) return 0.0;
  double carried = 0.0;
  for (const RecordContact& contact : record.contacts) {
    const double up = -contact.linear_impulse.dot(state.gravity_m_s2) / gravity;
    if (!state.bodies[contact.body_a].is_dynamic()) carried += up;
    if (!state.bodies[contact.body_b].is_dynamic()) carried -= up;
  }
  return carried / (weight * state.time_step_s);
}

double ArmOfRotation(const PeerBody& body) {
  if (body.is_kinematic()) return ComputeBoundingRadius(body.shapes);
  return std::sqrt(body.inertia_body_kg_m2.mean() / body.mass_kg);
}

double VelocityMismatch(const StepRecord& record, const std::vector<BodyVelocity>& velocity) {
  const PeerState& state = record.before;
  double worst = 0.0;
  for (size_t row = 0; row < velocity.size(); ++row) {
    const PeerBody& body = state.bodies[row];
    if (body.kind == BodyKind::kStatic) continue;
    const double arm = ArmOfRotation(body);
    worst = std::max({worst, (velocity[row].linear - record.linear_after[row]).norm(),
                      arm * (velocity[row].angular - record.angular_after[row]).norm()});
  }
  return worst / (state.time_step_s * state.gravity_m_s2.norm());
}

}  // namespace

RecordQuality ComputeRecordQuality(WorkerArena& workers, const StepRecord& record) {
  const FreeBodies bodies(record.before);
  const std::vector<BodyVelocity> velocity = bodies.ApplyImpulses(record.contacts);
  RecordQuality quality;
  JudgeImpulses(workers, bodies, record, velocity, quality);
  for (const RecordContact& contact : record.contacts) {
    quality.worst_penetration_m = std::max(quality.worst_penetration_m, -contact.gap_m);
  }
  quality.weight_carried = WeightCarried(record);
  quality.velocity_mismatch = VelocityMismatch(record, velocity);
  return quality;
}

}  // namespace talus::peers
