// What a joint does, as a user sees it: where its two frames stand to each other now, and what it
// carried in the last step.
#pragma once

#include <string>
#include <vector>

#include "solver/base/ids.h"
#include "solver/base/math.h"

namespace talus {

struct SceneState;

// Along the axes of the joint frame (scene/joint_def.h).
struct JointRecord {
  JointId id{};
  std::string name;
  BodyId body_a{};  // 0: the world
  BodyId body_b{};
  Vec3 translation_m = Vec3::Zero();  // of B as seen from A, now
  Vec3 rotation_rad = Vec3::Zero();
  Vec3 force_n = Vec3::Zero();         // on body B, mean of the last step
  Vec3 torque_n_m = Vec3::Zero();      // about the origin of B's joint frame
  Quat axes_world = Quat::Identity();  // world <- joint
};

// By id. Forces are impulses over the time step.
std::vector<JointRecord> MakeJointRecords(const SceneState& state);

}  // namespace talus
