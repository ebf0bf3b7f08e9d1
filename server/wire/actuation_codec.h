// What drives a scene from the wire to the solver. Numbers pass bit for bit; whether they make
// sense is the question of the scene they are for (solver/world/actuation.h).
#pragma once

#include <vector>

#include "solver/scene/actuator_def.h"
#include "talus/v1/actuation.pb.h"

namespace talus::wire {

std::vector<ActuatorDef> DecodeActuators(
    const google::protobuf::RepeatedPtrField<v1::Actuator>& messages);

}  // namespace talus::wire
