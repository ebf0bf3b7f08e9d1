#include "solver/solvers/mechanism.h"

#include "solver/solvers/step_matrices.h"

namespace talus {

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
