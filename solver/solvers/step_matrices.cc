#include "solver/solvers/step_matrices.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "solver/contact/chunk_loop.h"
#include "solver/matrix/contact_matrices.h"

namespace talus {
namespace {

// The bodies that contacts know, and behind them those that only joints do.
class MechanismBodies {
 public:
  MechanismBodies(const ContactProblem& problem, const DynamicsView& bodies,
                  std::vector<ActedBody> of_contacts)
      : rows_(problem.rows.row), view_(bodies), acted_(std::move(of_contacts)) {}

  uint32_t PlaceOf(uint32_t body) {
    if (body == kWorldRow) return kNoBody;
    if (body < rows_.size() && rows_[body] != kNoRow) return rows_[body];
    const auto [entry, added] = places_.try_emplace(body, static_cast<uint32_t>(acted_.size()));
    if (added) {
      ActedBody& acted = acted_.emplace_back();
      acted.inverse_mass = InverseMassOf(view_, body);
      acted.velocity.head<3>() = view_.free_linear_velocities[body];
      acted.velocity.tail<3>() = view_.free_angular_velocities[body];
    }
    return entry->second;
  }

  std::span<const ActedBody> acted() const { return acted_; }

 private:
  std::span<const uint32_t> rows_;
  const DynamicsView& view_;
  std::vector<ActedBody> acted_;
  std::map<uint32_t, uint32_t> places_;
};

ActingBlock BlockOf(const JointRows& joint, MechanismBodies& bodies) {
  ActingBlock block;
  block.law.kind = BlockLawKind::kBounds;
  block.law.lower = joint.lower;
  block.law.upper = joint.upper;
  block.offset = joint.bias;
  block.compliance = joint.compliance;
  for (size_t side = 0; side < 2; ++side) {
    block.bodies[side] = bodies.PlaceOf(joint.bodies[side]);
    block.directions[side] = joint.directions[side];
  }
  return block;
}

std::vector<BodyMotion> FreeMotionOf(WorkerArena& workers, const ContactProblem& problem,
                                     const Iterate& iterate) {
  std::vector<BodyMotion> free_motion = iterate.motion;
  SetFreeVelocities(workers, problem, free_motion);
  return free_motion;
}

}  // namespace

size_t CountContacts(const BlockLayout& layout) {
  size_t count = 0;
  for (size_t i = 0; i < layout.block_count(); ++i) count += layout.CountContacts(i);
  return count;
}

Matrix6 InverseMassOf(const DynamicsView& bodies, uint32_t body) {
  Matrix6 inverse = Matrix6::Zero();
  if (!(bodies.inverse_masses[body] > 0.0)) return inverse;
  inverse.diagonal().head<3>().setConstant(bodies.inverse_masses[body]);
  const uint32_t tensor = bodies.tensor_rows[body];
  if (tensor == kNoTensor) {
    inverse.diagonal().tail<3>().setConstant(bodies.inverse_inertias[body]);
  } else {
    const Mat3& full = bodies.inverse_tensors_world[tensor];
    inverse.bottomRightCorner<3, 3>() = 0.5 * (full + full.transpose());
  }
  return inverse;
}

uint64_t CountDelassusBlocks(const DynamicsView& bodies, std::span<const ContactInput> contacts,
                             std::span<const JointRows> joints) {
  DelassusCount count(bodies.inverse_masses.size());
  const auto add = [&](uint32_t body) {
    if (body != kWorldRow && bodies.inverse_masses[body] > 0.0) count.Add(body);
  };
  for (const ContactInput& contact : contacts) {
    add(contact.body_a);
    add(contact.body_b);
  }
  for (const JointRows& joint : joints) std::ranges::for_each(joint.bodies, add);
  return count.total();
}

MatrixProblem FormStepMatrices(const ContactProblem& problem, const DynamicsView& bodies,
                               std::span<const JointRows> joints,
                               std::span<const BodyMotion> free_motion) {
  std::vector<ActingBlock> blocks = FormContactBlocks(problem);
  MechanismBodies acted(problem, bodies, FormContactBodies(problem, free_motion));
  for (const JointRows& joint : joints) blocks.push_back(BlockOf(joint, acted));
  return AssembleMatrices(blocks, acted.acted());
}

StepMatrices::StepMatrices(WorkerArena& workers, const ContactProblem& problem,
                           const Iterate& iterate)
    : workers_(workers),
      problem_(problem),
      scaled_(ScaleProblem(FormContactMatrices(problem, FreeMotionOf(workers, problem, iterate)))),
      impulse_(Eigen::VectorXd::Zero(scaled_.free_rows.size())) {}

StepMatrices::StepMatrices(WorkerArena& workers, const ContactProblem& problem,
                           const DynamicsView& bodies, const JointSolution& joints,
                           const Iterate& iterate)
    : workers_(workers),
      problem_(problem),
      joints_(joints),
      scaled_(ScaleProblem(
          FormStepMatrices(problem, bodies, joints.rows, FreeMotionOf(workers, problem, iterate)))),
      impulse_(Eigen::VectorXd::Zero(scaled_.free_rows.size())) {}

void StepMatrices::Scale(size_t block, const Wrench& impulse) {
  const auto steps = scaled_.steps.segment<6>(FirstRow(block)).array();
  impulse_.segment<6>(FirstRow(block)) = (steps > 0.0).select(impulse.array() / steps, 0.0);
}

Wrench StepMatrices::Unscale(size_t block) const {
  const Eigen::Index at = FirstRow(block);
  return impulse_.segment<6>(at).cwiseProduct(scaled_.steps.segment<6>(at));
}

void StepMatrices::TakeImpulses(const Iterate& iterate) {
  ForEachSlot(workers_, problem_, [&](uint32_t index, size_t lane, uint32_t contact) {
    Scale(contact, iterate.impulse[index].Get(lane));
  });
  const size_t contact_count = scaled_.block_count() - joints_.rows.size();
  for (size_t i = 0; i < joints_.rows.size(); ++i) Scale(contact_count + i, joints_.impulses[i]);
}

void StepMatrices::GiveImpulses(Iterate& iterate) const {
  ForEachSlot(workers_, problem_, [&](uint32_t index, size_t lane, uint32_t contact) {
    iterate.impulse[index].Set(lane, Unscale(contact));
  });
  const size_t contact_count = scaled_.block_count() - joints_.rows.size();
  for (size_t i = 0; i < joints_.rows.size(); ++i) joints_.impulses[i] = Unscale(contact_count + i);
}

}  // namespace talus
