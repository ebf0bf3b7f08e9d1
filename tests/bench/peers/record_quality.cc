#include "tests/bench/peers/record_quality.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/assemble.h"
#include "solver/contact/residual.h"
#include "tests/bench/peers/free_bodies.h"

namespace talus::peers {
namespace {

// Impacts below this speed do not bounce; without restitution none does.
constexpr double kRestitutionThreshold = 0.01;

std::vector<ContactInput> MakeInputs(const StepRecord& record) {
  std::vector<ContactInput> inputs;
  for (const RecordContact& contact : record.contacts) {
    inputs.push_back({contact.body_a, contact.body_b, contact.point, contact.normal.normalized(),
                      contact.gap_m, record.before.material});
  }
  return inputs;
}

// Residual and eta: the one place that assembles our problem and asks for them.
void JudgeImpulses(WorkerArena& workers, const FreeBodies& bodies, const StepRecord& record,
                   const std::vector<BodyVelocity>& velocity, RecordQuality& quality) {
  Coloring coloring;
  ContactProblem problem;
  const std::vector<ContactInput> inputs = MakeInputs(record);
  AssembleProblem(
      workers, bodies.view(), inputs,
      {record.before.time_step_s, record.before.recovery_speed_m_s, kRestitutionThreshold},
      coloring, problem);
  std::vector<Wrench> impulses(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const RecordContact& contact = record.contacts[problem.input_index[i]];
    const ContactFrame& frame = problem.contacts[i].frame;
    impulses[i] << frame.n.dot(contact.linear_impulse), frame.u.dot(contact.linear_impulse),
        frame.w.dot(contact.linear_impulse), frame.n.dot(contact.angular_impulse),
        frame.u.dot(contact.angular_impulse), frame.w.dot(contact.angular_impulse);
  }
  quality.residual = ComputeResidual(workers, problem, ContactLaw::kNcp, impulses, velocity);
  quality.worst_contact_residual =
      ComputeWorstContactResidual(workers, problem, ContactLaw::kNcp, impulses, velocity);
}

double WeightCarried(const StepRecord& record) {
  const PeerState& state = record.before;
  const double gravity = state.gravity_m_s2.norm();
  double weight = 0.0;
  for (const PeerBody& body : state.bodies) weight += body.dynamic ? body.mass_kg * gravity : 0.0;
  if (weight == 0.0) return 0.0;
  double carried = 0.0;
  for (const RecordContact& contact : record.contacts) {
    const double up = -contact.linear_impulse.dot(state.gravity_m_s2) / gravity;
    if (!state.bodies[contact.body_a].dynamic) carried += up;
    if (!state.bodies[contact.body_b].dynamic) carried -= up;
  }
  return carried / (weight * state.time_step_s);
}

double VelocityMismatch(const StepRecord& record, const std::vector<BodyVelocity>& velocity) {
  const PeerState& state = record.before;
  double worst = 0.0;
  for (size_t row = 0; row < velocity.size(); ++row) {
    const PeerBody& body = state.bodies[row];
    if (!body.dynamic) continue;
    const double gyration = std::sqrt(body.inertia_body_kg_m2.mean() / body.mass_kg);
    worst = std::max({worst, (velocity[row].linear - record.linear_after[row]).norm(),
                      gyration * (velocity[row].angular - record.angular_after[row]).norm()});
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
