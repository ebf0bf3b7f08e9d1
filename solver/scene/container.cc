#include "solver/scene/container.h"

namespace talus {
namespace {

void AddBox(const ShapeDef& tray, const Vec3& center, const Vec3& half_extents,
            std::vector<ShapeDef>& boxes) {
  ShapeDef box;
  box.geometry = Box{half_extents};
  box.pose_body = tray.pose_body * Pose{center, Quat::Identity()};
  box.material = tray.material;
  boxes.push_back(box);
}

void ExpandContainer(const ShapeDef& tray, const Container& size, std::vector<ShapeDef>& boxes) {
  const double t = 0.5 * size.thickness_m;
  const double x = 0.5 * size.inner_length_x_m;
  const double y = 0.5 * size.inner_length_y_m;
  const double z = 0.5 * size.wall_height_m;
  if (size.wall_height_m <= 0.0) {
    AddBox(tray, Vec3(0, 0, -t), Vec3(x, y, t), boxes);
    return;
  }
  AddBox(tray, Vec3(0, 0, -t), Vec3(x + 2 * t, y + 2 * t, t), boxes);
  AddBox(tray, Vec3(-(x + t), 0, z), Vec3(t, y + 2 * t, z), boxes);
  AddBox(tray, Vec3(x + t, 0, z), Vec3(t, y + 2 * t, z), boxes);
  AddBox(tray, Vec3(0, -(y + t), z), Vec3(x, t, z), boxes);
  AddBox(tray, Vec3(0, y + t, z), Vec3(x, t, z), boxes);
}

}  // namespace

std::vector<ShapeDef> ExpandContainers(const std::vector<ShapeDef>& shapes) {
  std::vector<ShapeDef> expanded;
  expanded.reserve(shapes.size());
  for (const ShapeDef& shape : shapes) {
    if (const auto* tray = std::get_if<Container>(&shape.geometry)) {
      ExpandContainer(shape, *tray, expanded);
    } else {
      expanded.push_back(shape);
    }
  }
  return expanded;
}

}  // namespace talus
