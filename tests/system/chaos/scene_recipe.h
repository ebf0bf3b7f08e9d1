// Small scenes drawn by chance, and what can be added to them: valid requests, each a little
// different. Bodies of a recipe: `ground`, `plate`, `ball0` and so on; materials: `stone`.
#pragma once

#include <string>
#include <vector>

#include "talus/v1/actuation.pb.h"
#include "talus/v1/scene.pb.h"
#include "talus/v1/scene_service.pb.h"
#include "talus/v1/simulation_service.pb.h"
#include "tests/system/chaos/dice.h"

namespace talus::chaos {

inline std::string SceneName(const std::string& id) { return "scenes/" + id; }

// 3 to 9 balls and boxes over a plate that can be moved about on a ground; some with a joint, an
// emitter, or sleep.
v1::SceneSpec DrawScene(Dice& dice);
// A ball of that name somewhere above.
v1::BodySpec DrawBall(Dice& dice, const std::string& name);
// Another pose or other velocities of that body, which may be static.
v1::BodyUpdate DrawUpdate(Dice& dice, const std::string& name);
v1::EmitterSpec DrawEmitter(Dice& dice, const std::string& name);
// Between ball0 and ball1; needs a scene that is solved by NEWTON.
v1::JointSpec MakeJoint(const std::string& name);
bool HoldsJoints(const v1::SceneSpec& spec);
// What an owner drives: a push at ball0, the velocity of the plate.
std::vector<v1::Actuator> ListActuators();
// Sets them, as often to what they were before as to something new.
void DrawDrive(Dice& dice, v1::StepRequest* request);

}  // namespace talus::chaos
