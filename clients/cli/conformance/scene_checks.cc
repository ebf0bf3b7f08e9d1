// Scenes and what is in them: names, pages, bodies that come and go.
#include <algorithm>

#include "clients/cli/conformance/check.h"
#include "clients/cli/conformance/ground.h"

namespace talus::cli::conformance {
namespace {

client::Result<v1::CreateSceneResponse> Create(Ground& ground, const std::string& id) {
  v1::CreateSceneRequest request;
  request.set_scene_id(id);
  *request.mutable_spec() = FallingBall();
  auto made = ground.client().CreateScene(request, ground.call());
  if (made) ground.Own(made->scene().scene());
  return made;
}

Verdict NamesFollowTheRule(Ground& ground) {
  const std::string id = ground.NewId();
  for (const std::string& bad :
       {id + "/x", id + " x", id + "\n", std::string("ümlaut"), std::string(65, 'a')}) {
    TALUS_DEMAND_ERROR(Create(ground, bad), kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  }
  std::string longest = id + "_-.";
  longest.resize(64, 'x');
  TALUS_DEMAND_OK(Create(ground, longest));
  auto chosen = Create(ground, "");
  TALUS_DEMAND_OK(chosen);
  TALUS_DEMAND(chosen->scene().scene().rfind("scenes/", 0) == 0,
               "a name the server chose is " + chosen->scene().scene());
  for (const std::string& bad : {std::string("ball"), std::string("scenes/"), "snapshots/" + id}) {
    TALUS_DEMAND_ERROR(ground.Scene(bad), kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  }
  return Verdict::Pass();
}

Verdict SceneNamesAreUnique(Ground& ground) {
  const std::string id = ground.NewId();
  TALUS_DEMAND_OK(Create(ground, id));
  TALUS_DEMAND_ERROR(Create(ground, id), kAlreadyExists, v1::ERROR_REASON_DUPLICATE_NAME);
  return Verdict::Pass();
}

Verdict DeletedSceneIsGone(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::DeleteSceneRequest request;
  request.set_scene(*scene);
  TALUS_DEMAND_OK(ground.client().DeleteScene(request, ground.call()));
  TALUS_DEMAND_ERROR(ground.Scene(*scene), kNotFound, v1::ERROR_REASON_NOT_FOUND);
  TALUS_DEMAND_ERROR(ground.client().DeleteScene(request, ground.call()), kNotFound,
                     v1::ERROR_REASON_NOT_FOUND);
  return Verdict::Pass();
}

Verdict InfoTellsTheScene(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  auto info = ground.Scene(*scene);
  TALUS_DEMAND_OK(info);
  TALUS_DEMAND(info->scene() == *scene, "GetScene tells of " + info->scene());
  TALUS_DEMAND(info->step_index() == 0, "a new scene is not at step 0");
  TALUS_DEMAND(info->body_count() == 2, "body_count is not 2");
  TALUS_DEMAND(!info->run().running(), "a new scene runs");
  return Verdict::Pass();
}

Verdict ListsComeInPages(Ground& ground) {
  std::vector<std::string> made;
  for (int i = 0; i < 3; ++i) {
    auto scene = ground.MakeScene(FallingBall());
    TALUS_DEMAND_OK(scene);
    made.push_back(*scene);
  }
  std::vector<std::string> met;
  v1::ListScenesRequest request;
  request.set_page_size(2);
  do {
    auto page = ground.client().ListScenes(request, ground.call());
    TALUS_DEMAND_OK(page);
    TALUS_DEMAND(page->scenes_size() <= 2, "a page is longer than page_size");
    for (const v1::SceneInfo& info : page->scenes()) met.push_back(info.scene());
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  TALUS_DEMAND(std::ranges::is_sorted(met), "scenes are not sorted by name");
  for (const std::string& scene : made) {
    TALUS_DEMAND(std::ranges::count(met, scene) == 1, scene + " is not listed once");
  }
  request.set_page_size(1001);
  TALUS_DEMAND_ERROR(ground.client().ListScenes(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  return Verdict::Pass();
}

Verdict BodiesComeAndGo(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::AddBodiesRequest add;
  add.set_scene(*scene);
  *add.add_bodies() = FallingBall().bodies(0);
  TALUS_DEMAND_ERROR(ground.client().AddBodies(add, ground.call()), kAlreadyExists,
                     v1::ERROR_REASON_DUPLICATE_NAME);
  add.mutable_bodies(0)->set_name("second");
  auto added = ground.client().AddBodies(add, ground.call());
  TALUS_DEMAND_OK(added);
  TALUS_DEMAND(added->body_ids_size() == 1 && added->body_ids(0) == 2,
               "the second body of a scene has not the id 2");
  v1::RemoveBodiesRequest remove;
  remove.set_scene(*scene);
  remove.add_body_names("second");
  auto removed = ground.client().RemoveBodies(remove, ground.call());
  TALUS_DEMAND_OK(removed);
  TALUS_DEMAND(removed->layout().body_ids_size() == 1, "the body is still in the layout");
  TALUS_DEMAND_ERROR(ground.client().RemoveBodies(remove, ground.call()), kNotFound,
                     v1::ERROR_REASON_NOT_FOUND);
  auto again = ground.client().AddBodies(add, ground.call());
  TALUS_DEMAND_OK(again);
  TALUS_DEMAND(again->body_ids(0) == 3, "the id of a body that went was used again");
  return Verdict::Pass();
}

Verdict AFailedCallChangesNothing(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  auto before = ground.Scene(*scene);
  TALUS_DEMAND_OK(before);
  v1::AddBodiesRequest add;
  add.set_scene(*scene);
  *add.add_bodies() = FallingBall().bodies(0);
  add.mutable_bodies(0)->set_name("good");
  *add.add_bodies() = FallingBall().bodies(0);
  add.mutable_bodies(1)->set_name("bad");
  add.mutable_bodies(1)->set_mass_kg(-2.0);
  auto added = ground.client().AddBodies(add, ground.call());
  TALUS_DEMAND_ERROR(added, kInvalidArgument, v1::ERROR_REASON_INVALID_FIELD);
  TALUS_DEMAND(added.error().detail.field() == "bodies[1].mass_kg",
               "the error names " + added.error().detail.field());
  auto after = ground.Scene(*scene);
  TALUS_DEMAND_OK(after);
  TALUS_DEMAND(after->state_hash() == before->state_hash() && after->body_count() == 1,
               "a refused AddBodies changed the scene");
  return Verdict::Pass();
}

// Many in one call: all, or where one of them cannot be, none.
Verdict BodiesComeTogether(Ground& ground) {
  auto scene = ground.MakeScene(FallingBall());
  TALUS_DEMAND_OK(scene);
  v1::AddBodiesRequest add;
  add.set_scene(*scene);
  *add.add_bodies() = FallingBall().bodies(0);
  *add.add_bodies() = FallingBall().bodies(0);
  add.mutable_bodies(0)->set_name("second");
  TALUS_DEMAND_ERROR(ground.client().AddBodies(add, ground.call()), kAlreadyExists,
                     v1::ERROR_REASON_DUPLICATE_NAME);
  add.mutable_bodies(1)->set_name("third");
  auto added = ground.client().AddBodies(add, ground.call());
  TALUS_DEMAND_OK(added);
  TALUS_DEMAND(added->body_ids_size() == 2 && added->layout().body_ids_size() == 3,
               "two bodies were added, and the scene has not three");
  return Verdict::Pass();
}

Verdict LayoutNamesBodies(Ground& ground) {
  auto scene = ground.MakeScene(BallAboveFloor());
  TALUS_DEMAND_OK(scene);
  v1::GetLayoutRequest request;
  request.set_scene(*scene);
  auto response = ground.client().GetLayout(request, ground.call());
  TALUS_DEMAND_OK(response);
  const v1::Layout& layout = response->layout();
  TALUS_DEMAND(layout.body_names_size() == 2 && layout.body_names(0) == "floor" &&
                   layout.body_names(1) == "ball",
               "the layout does not name floor and ball");
  TALUS_DEMAND(layout.body_kinds(1) == v1::BODY_KIND_CODE_DYNAMIC, "the ball is not dynamic");
  return Verdict::Pass();
}

// The bodies of a scene by pages of two, the second of which comes after a body has gone.
Verdict BodiesAreListed(Ground& ground) {
  v1::SceneSpec spec = BallAboveFloor();
  for (const char* const name : {"third", "fourth", "fifth"}) {
    *spec.add_bodies() = FallingBall().bodies(0);
    spec.mutable_bodies(spec.bodies_size() - 1)->set_name(name);
  }
  auto scene = ground.MakeScene(spec);
  TALUS_DEMAND_OK(scene);
  v1::ListBodiesRequest request;
  request.set_scene(*scene);
  request.set_page_size(2);
  std::vector<std::string> met;
  do {
    auto page = ground.client().ListBodies(request, ground.call());
    TALUS_DEMAND_OK(page);
    TALUS_DEMAND(page->bodies_size() <= 2, "a page is longer than page_size");
    for (const v1::ListedBody& body : page->bodies()) met.push_back(body.spec().name());
    if (request.page_token().empty()) {
      v1::RemoveBodiesRequest remove;
      remove.set_scene(*scene);
      remove.add_body_names("ball");
      remove.add_body_names("fourth");
      TALUS_DEMAND_OK(ground.client().RemoveBodies(remove, ground.call()));
    }
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  TALUS_DEMAND(met == std::vector<std::string>({"floor", "ball", "third", "fifth"}),
               "a page is wrong after bodies went");
  request.set_page_size(-1);
  TALUS_DEMAND_ERROR(ground.client().ListBodies(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  request.set_page_size(1);
  request.set_page_token("ball");
  TALUS_DEMAND_ERROR(ground.client().ListBodies(request, ground.call()), kInvalidArgument,
                     v1::ERROR_REASON_INVALID_FIELD);
  return Verdict::Pass();
}

Verdict WhatIsListedMakesTheSceneAgain(Ground& ground) {
  v1::SceneSpec spec = BallAboveFloor();
  v1::JointSpec& joint = *spec.add_joints();
  joint.set_name("guide");
  joint.set_body_b("ball");
  *joint.mutable_position_a_m() = spec.bodies(1).position_world_m();
  for (int k = 0; k < 2; ++k) joint.add_axes()->set_mode(v1::AXIS_MODE_LOCKED);
  auto scene = ground.MakeScene(spec);
  TALUS_DEMAND_OK(scene);
  v1::ListBodiesRequest bodies;
  bodies.set_scene(*scene);
  auto listed = ground.client().ListBodies(bodies, ground.call());
  TALUS_DEMAND_OK(listed);
  v1::ListJointsRequest joints;
  joints.set_scene(*scene);
  auto held = ground.client().ListJoints(joints, ground.call());
  TALUS_DEMAND_OK(held);
  TALUS_DEMAND(held->joints_size() == 1 && held->joints(0).spec().name() == "guide",
               "ListJoints does not tell of the joint");
  v1::SceneSpec told = spec;
  *told.mutable_materials() = listed->materials();
  told.clear_bodies();
  for (const v1::ListedBody& body : listed->bodies()) *told.add_bodies() = body.spec();
  told.clear_joints();
  *told.add_joints() = held->joints(0).spec();
  auto again = ground.MakeScene(told);
  TALUS_DEMAND_OK(again);
  auto first = ground.Scene(*scene);
  TALUS_DEMAND_OK(first);
  auto second = ground.Scene(*again);
  TALUS_DEMAND_OK(second);
  TALUS_DEMAND(first->state_hash() == second->state_hash(),
               "the specs that are listed make another scene");
  return Verdict::Pass();
}

}  // namespace

std::vector<Check> ListSceneChecks() {
  return {{"scenes", "names_follow_the_rule", NamesFollowTheRule, {"WORLD_RESOURCE_STRING"}},
          {"scenes", "names_are_unique", SceneNamesAreUnique},
          {"scenes", "a_deleted_scene_is_gone", DeletedSceneIsGone, {"WORLD_UNLOADING"}},
          {"scenes", "info_tells_the_scene", InfoTellsTheScene, {"WORLD_INFO_GETTING"}},
          {"scenes", "lists_come_in_pages", ListsComeInPages, {"WORLD_INFO_GETTING"}},
          {"scenes",
           "bodies_come_and_go",
           BodiesComeAndGo,
           {"SPAWNING", "DELETING", "SPAWNING_RESOURCE_STRING"}},
          {"scenes", "bodies_come_together", BodiesComeTogether, {"SPAWNING_ENTITIES"}},
          {"scenes", "a_failed_call_changes_nothing", AFailedCallChangesNothing},
          {"scenes", "layout_names_bodies", LayoutNamesBodies, {"ENTITY_INFO_GETTING"}},
          {"scenes", "bodies_are_listed", BodiesAreListed, {"ENTITY_INFO_GETTING"}},
          {"scenes", "what_is_listed_makes_the_scene_again", WhatIsListedMakesTheSceneAgain}};
}

}  // namespace talus::cli::conformance
