// What the server offers, in the words of the ROS 2 standard simulation_interfaces, and which gRPC
// services it has.
#pragma once

#include <string>
#include <vector>

#include "talus/v1/server_service.pb.h"

namespace talus::rpc {

// Full names, in the order in which they are told by reflection.
std::vector<std::string> ListServices();

// `stores`: the server has a data directory; `has_scenes`: it has named scenes.
void EncodeFeatures(bool stores, bool has_scenes, v1::GetFeaturesResponse& response);

}  // namespace talus::rpc
