#include "server/storage/waiting_size.h"

namespace talus {
namespace {

// What matters is that a large input counts as large.
struct InputSize {
  int64_t operator()(const StepsMade& input) const { return Of(input.state_hashes.size(), 8); }
  int64_t operator()(const BodiesAdded& input) const { return Of(input.bodies.size(), 600); }
  int64_t operator()(const BodiesRemoved& input) const {
    return Of(input.body_ids.size() + input.body_names.size(), 64);
  }
  int64_t operator()(const BodiesUpdated& input) const { return Of(input.updates.size(), 250); }
  int64_t operator()(const EmittersAdded& input) const { return Of(input.emitters.size(), 400); }
  int64_t operator()(const EmittersRemoved& input) const { return Of(input.names.size(), 64); }
  int64_t operator()(const JointsAdded& input) const { return Of(input.joints.size(), 1000); }
  int64_t operator()(const JointsRemoved& input) const {
    return Of(input.joint_ids.size() + input.joint_names.size(), 64);
  }
  int64_t operator()(const SceneRestored& input) const { return Of(input.snapshot.size(), 1); }
  int64_t operator()(const Actuated& input) const {
    return Of(input.targets.size() + input.values.size(), 16);
  }
  static int64_t Of(size_t count, size_t each) { return static_cast<int64_t>(128 + count * each); }
};

}  // namespace

int64_t WeighFrame(const FrameData& frame) {
  const size_t doubles = frame.positions_world_m.size() + frame.orientations_wxyz.size() +
                         frame.linear_velocities_world_m_s.size() +
                         frame.angular_velocities_world_rad_s.size();
  return static_cast<int64_t>(sizeof(FrameData) + doubles * sizeof(double) +
                              frame.contacts.size() * sizeof(ContactRecord));
}

int64_t WeighInput(const SceneInput& input) { return std::visit(InputSize(), input); }

}  // namespace talus
