// CreateScene from a URDF file: what stands around the robot, and the robot in it.
#pragma once

#include "server/rpc/unary_call.h"
#include "server/session/scene_host.h"
#include "talus/v1/scene_service.pb.h"

namespace talus::rpc {

// Ends the call. `source` stays until then.
void CreateFromUrdf(SceneHost& host, CreateSceneCall create, const v1::UrdfScene& source,
                    UnaryCall<v1::CreateSceneResponse>* call);

}  // namespace talus::rpc
