#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {

v1::BodySpec DrawBall(Dice& dice, const std::string& name) {
  v1::BodySpec ball;
  ball.set_name(name);
  ball.set_kind(v1::BODY_KIND_DYNAMIC);
  ball.mutable_position_world_m()->set_x(dice.Draw01() - 0.5);
  ball.mutable_position_world_m()->set_y(dice.Draw01() - 0.5);
  ball.mutable_position_world_m()->set_z(0.2 + 2.0 * dice.Draw01());
  ball.set_mass_kg(0.5 + dice.Draw01());
  v1::ShapeSpec& shape = *ball.add_shapes();
  if (dice.Once(4)) {
    shape.mutable_box()->mutable_half_extents_m()->set_x(0.1);
    shape.mutable_box()->mutable_half_extents_m()->set_y(0.08);
    shape.mutable_box()->mutable_half_extents_m()->set_z(0.05);
  } else {
    shape.mutable_sphere()->set_radius_m(0.05 + 0.05 * dice.Draw01());
  }
  shape.set_material("stone");
  return ball;
}

v1::BodyUpdate DrawUpdate(Dice& dice, const std::string& name) {
  v1::BodyUpdate update;
  update.set_body_name(name);
  v1::BodySpec& values = *update.mutable_values();
  if (name == "ground") {
    values.mutable_position_world_m()->set_z(0.02 * dice.Draw01() - 0.02);
    update.mutable_update_mask()->add_paths("position_world_m");
    return update;
  }
  if (dice.Once(2)) {
    values.mutable_position_world_m()->set_x(dice.Draw01() - 0.5);
    values.mutable_position_world_m()->set_z(0.1 + dice.Draw01());
    update.mutable_update_mask()->add_paths("position_world_m");
    // Upright again, where it was not.
    if (dice.Once(2)) update.mutable_update_mask()->add_paths("orientation_world");
  }
  if (dice.Once(2) || update.update_mask().paths().empty()) {
    values.mutable_linear_velocity_world_m_s()->set_x(0.4 * dice.Draw01() - 0.2);
    update.mutable_update_mask()->add_paths("linear_velocity_world_m_s");
  }
  return update;
}

v1::EmitterSpec DrawEmitter(Dice& dice, const std::string& name) {
  v1::EmitterSpec emitter;
  emitter.set_name(name);
  emitter.mutable_center_world_m()->set_z(3.0);
  emitter.mutable_axis_world()->set_z(-1.0);
  emitter.set_nozzle_radius_m(0.3);
  emitter.set_nozzle_height_m(0.3);
  emitter.set_rate_per_s(50.0);
  emitter.set_particle_count(dice.Draw(1, 4));
  emitter.set_seed(static_cast<uint64_t>(dice.Draw(1, 1000)));
  emitter.set_radius_min_m(0.04);
  emitter.set_radius_max_m(0.06);
  emitter.set_density_kg_m3(1000.0);
  emitter.set_material("stone");
  emitter.set_speed_m_s(1.0);
  return emitter;
}

v1::JointSpec MakeJoint(const std::string& name) {
  v1::JointSpec joint;
  joint.set_name(name);
  joint.set_body_a("ball0");
  joint.set_body_b("ball1");
  joint.mutable_position_a_m()->set_x(0.2);
  joint.mutable_position_b_m()->set_x(-0.2);
  for (int axis = 0; axis < 6; ++axis) {
    joint.add_axes()->set_mode(axis < 3 ? v1::AXIS_MODE_LOCKED : v1::AXIS_MODE_FREE);
  }
  return joint;
}

bool HoldsJoints(const v1::SceneSpec& spec) {
  return spec.settings().solver().solver() == v1::CONTACT_SOLVER_NEWTON;
}

v1::SceneSpec DrawScene(Dice& dice) {
  v1::SceneSpec spec;
  v1::NamedMaterial& stone = *spec.add_materials();
  stone.set_name("stone");
  stone.mutable_material()->set_sliding_friction(0.5);
  stone.mutable_material()->set_rolling_friction_m(0.002);
  v1::BodySpec& ground = *spec.add_bodies();
  ground.set_name("ground");
  ground.set_kind(v1::BODY_KIND_STATIC);
  ground.add_shapes()->mutable_plane()->mutable_normal()->set_z(1.0);
  ground.mutable_shapes(0)->set_material("stone");
  v1::BodySpec& plate = *spec.add_bodies();
  plate.set_name("plate");
  plate.set_kind(v1::BODY_KIND_KINEMATIC);
  plate.mutable_position_world_m()->set_z(0.1);
  v1::ShapeSpec& slab = *plate.add_shapes();
  slab.mutable_box()->mutable_half_extents_m()->set_x(0.3);
  slab.mutable_box()->mutable_half_extents_m()->set_y(0.3);
  slab.mutable_box()->mutable_half_extents_m()->set_z(0.04);
  slab.set_material("stone");
  const int64_t count = dice.Draw(3, 9);
  for (int64_t k = 0; k < count; ++k) {
    *spec.add_bodies() = DrawBall(dice, "ball" + std::to_string(k));
  }
  if (dice.Once(4)) *spec.add_emitters() = DrawEmitter(dice, "rain");
  if (dice.Once(3)) {
    // Sleep and joints exclude each other nowhere, but one at a time is easier to read in a log.
    spec.mutable_settings()->mutable_sleep();
  } else if (dice.Once(4)) {
    spec.mutable_settings()->mutable_solver()->set_solver(v1::CONTACT_SOLVER_NEWTON);
    *spec.add_joints() = MakeJoint("link");
  }
  return spec;
}

std::vector<v1::Actuator> ListActuators() {
  std::vector<v1::Actuator> actuators(2);
  actuators[0].set_kind(v1::ACTUATOR_KIND_BODY_WRENCH);
  actuators[0].set_name("ball0");
  actuators[1].set_kind(v1::ACTUATOR_KIND_BODY_VELOCITY);
  actuators[1].set_name("plate");
  return actuators;
}

void DrawDrive(Dice& dice, v1::StepRequest* request) {
  for (const v1::Actuator& actuator : ListActuators()) *request->add_actuators() = actuator;
  const bool push = dice.Once(3);
  for (int k = 0; k < 6; ++k) {
    request->add_values(push && k < 3 ? 4.0 * dice.Draw01() - 2.0 : 0.0);
  }
  const double speed = 0.3 * static_cast<double>(dice.Draw(-1, 1));
  for (int k = 0; k < 6; ++k) request->add_values(k == 0 ? speed : 0.0);
}

}  // namespace talus::chaos
