// Robots from URDF: they come whole, with what became of them, or not at all.
#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

constexpr char kHinged[] = R"(<robot name="hinged">
<link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
<link name="arm"><inertial><origin xyz="1 0 0"/><mass value="2"/>
  <inertia ixx="0.1" iyy="0.2" izz="0.2"/></inertial></link>
<link name="tip"/>
<joint name="hinge" type="continuous"><origin xyz="0 0 3"/><parent link="base"/><child link="arm"/>
  <axis xyz="0 1 0"/></joint>
<joint name="end" type="fixed"><parent link="arm"/><child link="tip"/></joint>
<sensor name="eye"/>
</robot>)";

v1::SceneSpec JointedGround() {
  v1::SceneSpec spec;
  spec.mutable_settings()->mutable_solver()->set_solver(v1::CONTACT_SOLVER_NEWTON);
  return spec;
}

v1::ModelImport ImportInto(const std::string& scene) {
  v1::ModelImport model;
  model.set_scene(scene);
  model.mutable_options()->set_base(v1::MODEL_BASE_FIXED);
  return model;
}

std::vector<v1::ModelFile> FileOf(const std::string& urdf) {
  std::vector<v1::ModelFile> files(1);
  files[0].set_name("robot.urdf");
  files[0].set_content(urdf);
  return files;
}

Verdict ARobotComesWhole(Ground& ground) {
  auto scene = ground.MakeScene(JointedGround());
  TALUS_DEMAND_OK(scene);
  auto imported = ground.client().ImportModel(ImportInto(*scene), FileOf(kHinged), ground.call());
  TALUS_DEMAND_OK(imported);
  TALUS_DEMAND(imported->scene().body_count() == 2 && imported->scene().joint_count() == 1,
               "not two bodies and a joint came");
  TALUS_DEMAND(
      imported->layout().body_names_size() == 2 && imported->layout().body_names(1) == "arm",
      "the layout does not name the links");
  const v1::ModelReport& report = imported->model();
  TALUS_DEMAND(report.links_size() == 3 && report.links(2).body() == "arm" &&
                   report.links(2).position_body_m().x() == -1.0,
               "a link that is fixed to another is not told where it is");
  TALUS_DEMAND(report.joints_size() == 1 && report.joints(0).name() == "hinge" &&
                   report.joints(0).axis() == 3,
               "the joint is not told");
  TALUS_DEMAND(report.unsupported_count() == 1 && report.unsupported(0).line() == 9,
               "what is unsupported is not listed");
  auto stepped = ground.Step(*scene, 10);
  TALUS_DEMAND_OK(stepped);
  return Verdict::Pass();
}

Verdict ABadRobotDoesNotComeAtAll(Ground& ground) {
  auto scene = ground.MakeScene(JointedGround());
  TALUS_DEMAND_OK(scene);
  auto before = ground.Scene(*scene);
  TALUS_DEMAND_OK(before);
  v1::ModelImport strict = ImportInto(*scene);
  strict.mutable_options()->set_strict(true);
  TALUS_DEMAND_ERROR(ground.client().ImportModel(strict, FileOf(kHinged), ground.call()),
                     kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  TALUS_DEMAND_ERROR(
      ground.client().ImportModel(ImportInto(*scene), FileOf("<robot"), ground.call()),
      kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  TALUS_DEMAND_ERROR(ground.client().ImportModel(ImportInto(*scene), {}, ground.call()),
                     kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  TALUS_DEMAND_ERROR(ground.client().ImportModel(ImportInto("scenes/" + ground.NewId()),
                                                 FileOf(kHinged), ground.call()),
                     kNotFound, v1::ERROR_REASON_NOT_FOUND);
  auto after = ground.Scene(*scene);
  TALUS_DEMAND_OK(after);
  TALUS_DEMAND(before->state_hash() == after->state_hash() && after->body_count() == 0,
               "a refused import left something behind");
  return Verdict::Pass();
}

Verdict ASceneIsMadeFromARobot(Ground& ground) {
  v1::CreateSceneRequest request;
  request.set_scene_id(ground.NewId());
  request.mutable_urdf()->set_urdf(kHinged);
  request.mutable_urdf()->mutable_options()->set_base(v1::MODEL_BASE_FIXED);
  *request.mutable_urdf()->mutable_scene() = JointedGround();
  auto created = ground.client().CreateScene(request, ground.call());
  TALUS_DEMAND_OK(created);
  ground.Own(created->scene().scene());
  TALUS_DEMAND(created->model().links_size() == 3, "the answer does not tell the links");
  auto scene = ground.MakeScene(JointedGround());
  TALUS_DEMAND_OK(scene);
  auto imported = ground.client().ImportModel(ImportInto(*scene), FileOf(kHinged), ground.call());
  TALUS_DEMAND_OK(imported);
  TALUS_DEMAND(imported->scene().state_hash() == created->scene().state_hash(),
               "a robot that is imported is another than one that is there from the start");
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListModelChecks() {
  return {
      {"models", "a_robot_comes_whole", ARobotComesWhole, {"SPAWNING_RESOURCE_STRING"}},
      {"models", "a_bad_robot_does_not_come_at_all", ABadRobotDoesNotComeAtAll},
      {"models", "a_scene_is_made_from_a_robot", ASceneIsMadeFromARobot, {"WORLD_RESOURCE_STRING"}},
  };
}

}  // namespace talus::cli::conformance
