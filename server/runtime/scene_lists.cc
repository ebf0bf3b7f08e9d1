#include "server/runtime/scene_lists.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "server/runtime/scene_actor.h"
#include "server/runtime/scene_actor_parts.h"

namespace talus {
namespace {

// Of the materials that the shapes of these bodies name.
std::vector<NamedMaterial> FindMaterials(const World& world, const std::vector<BodyDef>& bodies) {
  std::set<std::string_view> names;
  for (const BodyDef& body : bodies) {
    for (const ShapeDef& shape : body.shapes) {
      if (!shape.material.empty()) names.insert(shape.material);
    }
  }
  std::vector<NamedMaterial> materials;
  materials.reserve(names.size());
  for (const std::string_view name : names) {
    materials.push_back({std::string(name), world.FindMaterial(name).value()});
  }
  return materials;
}

}  // namespace

BodyPage MakeBodyPage(const World& world, const NumberPage& page) {
  const std::span<const BodyId> ids = world.bodies().ids;
  auto row = static_cast<size_t>(std::ranges::upper_bound(ids, BodyId{page.after}) - ids.begin());
  BodyPage result;
  size_t shape_count = 0;
  for (; row < ids.size() && result.ids.size() < page.size; ++row) {
    shape_count += world.shape_count(row);
    if (shape_count > kMostShapesOfPage && !result.ids.empty()) break;
    result.ids.push_back(ids[row]);
    result.bodies.push_back(world.DescribeBody(row));
  }
  result.last = row == ids.size();
  result.materials = FindMaterials(world, result.bodies);
  result.step_index = world.step_index();
  return result;
}

JointPage MakeJointPage(const World& world, const NumberPage& page) {
  JointPage result;
  size_t index = 0;
  const size_t count = world.joint_count();
  while (index < count && ToInteger(world.joint_id(index)) <= page.after) ++index;
  for (; index < count && result.ids.size() < page.size; ++index) {
    result.ids.push_back(world.joint_id(index));
    result.joints.push_back(world.joint_def(index));
  }
  result.last = index == count;
  result.step_index = world.step_index();
  return result;
}

void SceneActor::ListBodies(const NumberPage& page, const CallControlPtr& control,
                            Completion<BodyPage> done) {
  SubmitSingle<BodyPage>(Mailbox::Lane::kReads, control, std::move(done),
                         [page](HostedWorld& state) -> absl::StatusOr<BodyPage> {
                           BodyPage result = MakeBodyPage(state.world(), page);
                           result.layout_version = state.layout_version();
                           return result;
                         });
}

void SceneActor::ListJoints(const NumberPage& page, const CallControlPtr& control,
                            Completion<JointPage> done) {
  SubmitSingle<JointPage>(Mailbox::Lane::kReads, control, std::move(done),
                          [page](HostedWorld& state) -> absl::StatusOr<JointPage> {
                            JointPage result = MakeJointPage(state.world(), page);
                            result.layout_version = state.layout_version();
                            return result;
                          });
}

}  // namespace talus
