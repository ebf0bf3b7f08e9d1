#include "solver/world/joint_record.h"

#include "solver/constraints/assemble_joints.h"
#include "solver/state/scene_state.h"

namespace talus {

std::vector<JointRecord> MakeJointRecords(const SceneState& state) {
  std::vector<JointRecord> records;
  records.reserve(state.joints.size());
  const double h = state.settings.time_step_s;
  for (const JointState& joint : state.joints) {
    const JointPose pose = FindJointPose(joint, state.bodies);
    JointRecord& record = records.emplace_back();
    record.id = joint.id;
    record.name = joint.def.name;
    record.body_a = joint.body_a;
    record.body_b = joint.body_b;
    record.translation_m = pose.positions.head<3>();
    record.rotation_rad = pose.positions.tail<3>();
    record.axes_world = Quat(pose.axes);
    for (int k = 0; k < 3; ++k) {
      record.force_n[k] = joint.impulse[k] / h;
      record.torque_n_m[k] = joint.impulse[kRotations + k] / h;
    }
  }
  return records;
}

}  // namespace talus
