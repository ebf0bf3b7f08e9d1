#include "solver/solvers/mechanism.h"

#include <map>
#include <vector>

#include "solver/contact/chunk_loop.h"
#include "solver/matrix/contact_matrices.h"
#include "solver/matrix_solvers/alart_curnier.h"
#include "solver/matrix_solvers/proximal_newton.h"
#include "solver/matrix_solvers/psor.h"

namespace talus {
namespace {

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

}  // namespace

MatrixProblem FormMechanismMatrices(const ContactProblem& problem, const DynamicsView& bodies,
                                    std::span<const JointRows> joints,
                                    std::span<const BodyMotion> free_motion) {
  std::vector<ActingBlock> blocks = FormContactBlocks(problem);
  MechanismBodies acted(problem, bodies, FormContactBodies(problem, free_motion));
  for (const JointRows& joint : joints) blocks.push_back(BlockOf(joint, acted));
  return AssembleMatrices(blocks, acted.acted());
}

SolveReport SolveMechanism(WorkerArena& workers, const ContactProblem& problem,
                           const DynamicsView& bodies, const SolveLimits& limits,
                           const JointSolution& joints, Iterate& iterate) {
  std::vector<BodyMotion> free_motion = iterate.motion;
  SetFreeVelocities(workers, problem, free_motion);
  const ScaledProblem scaled =
      ScaleProblem(FormMechanismMatrices(problem, bodies, joints.rows, free_motion));
  const size_t contact_count = scaled.block_count() - joints.rows.size();
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(scaled.free_rows.size());
  const auto steps = [&](size_t block) { return scaled.steps.segment<6>(FirstRow(block)); };
  // Rows without mobility have step and impulse zero.
  const auto scale = [&](size_t block, const Wrench& gamma) {
    impulse.segment<6>(FirstRow(block)) =
        (steps(block).array() > 0.0).select(gamma.array() / steps(block).array(), 0.0);
  };
  const auto unscale = [&](size_t block) -> Wrench {
    return impulse.segment<6>(FirstRow(block)).cwiseProduct(steps(block));
  };
  ForEachSlot(workers, problem, [&](uint32_t index, size_t lane, uint32_t contact) {
    scale(contact, iterate.impulse[index].Get(lane));
  });
  for (size_t i = 0; i < joints.rows.size(); ++i) scale(contact_count + i, joints.impulses[i]);
  const bool ncp = limits.law == ContactLaw::kNcp;
  SolveReport report = contact_count <= matrix::ProximalNewton::kMostContacts
                           ? matrix::ProximalNewton().Solve(scaled, limits, impulse)
                       : ncp ? matrix::AlartCurnier().Solve(scaled, limits, impulse)
                             : matrix::Psor({}, true).Solve(scaled, limits, impulse);
  // An admissible answer, whatever came of the solve.
  impulse = ProjectBlocks(scaled, std::move(impulse));
  ForEachSlot(workers, problem, [&](uint32_t index, size_t lane, uint32_t contact) {
    iterate.impulse[index].Set(lane, unscale(contact));
  });
  for (size_t i = 0; i < joints.rows.size(); ++i) joints.impulses[i] = unscale(contact_count + i);
  return report;
}

void AddJointImpulses(const ContactProblem& problem, const JointSolution& joints,
                      std::span<BodyMotion> motion) {
  for (size_t i = 0; i < joints.rows.size(); ++i) {
    for (size_t side = 0; side < 2; ++side) {
      const uint32_t body = joints.rows[i].bodies[side];
      const uint32_t row = body == kWorldRow ? kNoRow : problem.rows.row[body];
      if (row == kNoRow || !motion[row].dynamic()) continue;
      const Wrench push = joints.rows[i].directions[side] * joints.impulses[i];
      Mat3 inverse_inertia = motion[row].inverse_inertia * Mat3::Identity();
      if (!problem.inertia.empty()) {
        const InertiaLine& line = problem.inertia[row];
        inverse_inertia << line.xx, line.xy, line.xz, line.xy, line.yy, line.yz, line.xz, line.yz,
            line.zz;
      }
      motion[row].Set(motion[row].Linear() + motion[row].inverse_mass * push.head<3>(),
                      motion[row].Angular() + inverse_inertia * push.tail<3>());
    }
  }
}

void AddJointImpulses(const ContactProblem& problem, const DynamicsView& bodies,
                      const JointSolution& joints, const SolvedVelocities& velocities) {
  for (size_t i = 0; i < joints.rows.size(); ++i) {
    for (size_t side = 0; side < 2; ++side) {
      const uint32_t body = joints.rows[i].bodies[side];
      if (body == kWorldRow || problem.rows.row[body] != kNoRow) continue;
      const Wrench change =
          InverseMassOf(bodies, body) * (joints.rows[i].directions[side] * joints.impulses[i]);
      velocities.linear[body] += change.head<3>();
      velocities.angular[body] += change.tail<3>();
    }
  }
}

}  // namespace talus
