#include "server/rpc/features.h"

#include <algorithm>
#include <string_view>

#include "dm_env_rpc/v1/dm_env_rpc.grpc.pb.h"
#include "talus/v1/analysis_service.grpc.pb.h"
#include "talus/v1/query_service.grpc.pb.h"
#include "talus/v1/recording_service.grpc.pb.h"
#include "talus/v1/scene_service.grpc.pb.h"
#include "talus/v1/server_service.grpc.pb.h"
#include "talus/v1/simulation_service.grpc.pb.h"
#include "talus/v1/snapshot_service.grpc.pb.h"
#include "talus/v1/stream_service.grpc.pb.h"

namespace talus::rpc {
namespace {

enum class Offer { kNo, kYes, kWithWorlds };  // the last: there are some to be had by name

struct FeatureLine {
  int32_t number;  // as in SimulatorFeatures.msg of simulation_interfaces 2.1
  const char* name;
  Offer offer;
  std::string_view rpcs;  // separated by spaces
  const char* note;
};

constexpr char kNoPoses[] = "poses have no names; a body's pose stands in its BodySpec";
constexpr char kNoLabels[] = "bodies have a name and a kind, and nothing else to be chosen by";
constexpr char kNoBounds[] = "the extent of a body is not told; ListBodies has its shapes";

constexpr FeatureLine kFeatures[] = {
    {0, "SPAWNING", Offer::kYes, "SceneService/AddBodies SceneService/AddEmitters", ""},
    {1, "DELETING", Offer::kYes, "SceneService/RemoveBodies SceneService/RemoveEmitters", ""},
    {2, "NAMED_POSES", Offer::kNo, "", kNoPoses},
    {3, "POSE_BOUNDS", Offer::kNo, "", kNoPoses},
    {4, "ENTITY_TAGS", Offer::kNo, "", kNoLabels},
    {5, "ENTITY_BOUNDS", Offer::kNo, "", kNoBounds},
    {6, "ENTITY_BOUNDS_BOX", Offer::kNo, "", kNoBounds},
    {7, "ENTITY_BOUNDS_CONVEX", Offer::kNo, "", kNoBounds},
    {8, "ENTITY_CATEGORIES", Offer::kNo, "", kNoLabels},
    {9, "SPAWNING_RESOURCE_STRING", Offer::kYes, "SceneService/AddBodies SceneService/ImportModel",
     "the request holds the description itself, BodySpecs or a URDF file"},
    {10, "ENTITY_STATE_GETTING", Offer::kYes, "QueryService/GetState StreamService/WatchState", ""},
    {11, "ENTITY_STATE_SETTING", Offer::kYes, "SceneService/UpdateBodies",
     "pose and velocities of many bodies, all or none; an acceleration is no part of a state"},
    {12, "ENTITY_INFO_GETTING", Offer::kYes, "QueryService/GetLayout SceneService/ListBodies",
     "name, kind, radius; of ListBodies the whole BodySpec"},
    {13, "ENTITY_INFO_SETTING", Offer::kNo, "", kNoLabels},
    {14, "SPAWNABLES", Offer::kNo, "", "the server keeps no models; callers describe theirs"},
    {20, "SIMULATION_RESET", Offer::kYes, "SimulationService/ResetScene", ""},
    {21, "SIMULATION_RESET_TIME", Offer::kYes, "SimulationService/ResetScene", "RESET_SCOPE_TIME"},
    {22, "SIMULATION_RESET_STATE", Offer::kYes, "SimulationService/ResetScene",
     "RESET_SCOPE_STATE"},
    {23, "SIMULATION_RESET_SPAWNED", Offer::kYes, "SimulationService/ResetScene",
     "RESET_SCOPE_SPAWNED"},
    {24, "SIMULATION_STATE_GETTING", Offer::kYes, "SceneService/GetScene",
     "run.running: PLAYING, else PAUSED; QUITTING is health's NOT_SERVING"},
    {25, "SIMULATION_STATE_SETTING", Offer::kYes,
     "SimulationService/Run SimulationService/Pause SimulationService/ResetScene",
     "PLAYING by Run, STOPPED by ResetScene; QUITTING is the operator's, by SIGTERM"},
    {26, "SIMULATION_STATE_PAUSE", Offer::kYes, "SimulationService/Pause", ""},
    {31, "STEP_SIMULATION_SINGLE", Offer::kYes, "SimulationService/Step SimulationService/Control",
     ""},
    {32, "STEP_SIMULATION_MULTIPLE", Offer::kYes,
     "SimulationService/Step SimulationService/StepUntil SimulationService/BatchStep", ""},
    {33, "STEP_SIMULATION_ACTION", Offer::kYes, "SimulationService/Step StreamService/WatchState",
     "a Step of many steps can be cancelled, and a watcher sees how far it is"},
    {40, "WORLD_LOADING", Offer::kWithWorlds, "SceneService/CreateScene",
     "of a named scene (--scenes), or from a stored snapshot (--data-dir)"},
    {41, "WORLD_RESOURCE_STRING", Offer::kYes, "SceneService/CreateScene",
     "the request holds the description itself, a SceneSpec, a URDF file or the bytes of a "
     "snapshot"},
    {42, "WORLD_TAGS", Offer::kNo, "", "scenes have a name, and nothing else to be chosen by"},
    {43, "WORLD_UNLOADING", Offer::kYes, "SceneService/DeleteScene", ""},
    {44, "WORLD_INFO_GETTING", Offer::kYes, "SceneService/GetScene SceneService/ListScenes",
     "a server holds many scenes; each is named"},
    {45, "AVAILABLE_WORLDS", Offer::kWithWorlds,
     "SceneService/ListNamedScenes SnapshotService/ListSnapshots",
     "the named scenes (--scenes) and the stored snapshots (--data-dir)"},
    {50, "SPAWNING_ENTITIES", Offer::kYes, "SceneService/AddBodies", "all or none"},
};

// An RPC that would only say that there is no data directory offers nothing.
bool Answers(std::string_view rpc, bool stores) {
  return stores || !rpc.starts_with("SnapshotService/");
}

void EncodeFeature(const FeatureLine& line, bool stores, bool has_scenes, v1::Feature& feature) {
  feature.set_name(line.name);
  feature.set_number(line.number);
  feature.set_note(line.note);
  feature.set_offered(line.offer == Offer::kYes ||
                      (line.offer == Offer::kWithWorlds && (stores || has_scenes)));
  if (!feature.offered()) return;
  std::string_view rest = line.rpcs;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view rpc = rest.substr(0, end);
    if (Answers(rpc, stores)) feature.add_rpcs(std::string(rpc));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

std::vector<std::string> ListServices() {
  return {v1::SceneService::service_full_name(),
          v1::SimulationService::service_full_name(),
          v1::QueryService::service_full_name(),
          v1::StreamService::service_full_name(),
          v1::SnapshotService::service_full_name(),
          v1::AnalysisService::service_full_name(),
          v1::ServerService::service_full_name(),
          v1::RecordingService::service_full_name(),
          dm_env_rpc::v1::Environment::service_full_name(),
          "grpc.health.v1.Health",
          "grpc.reflection.v1.ServerReflection",
          "grpc.reflection.v1alpha.ServerReflection"};
}

void EncodeFeatures(bool stores, bool has_scenes, v1::GetFeaturesResponse& response) {
  for (const FeatureLine& line : kFeatures) {
    EncodeFeature(line, stores, has_scenes, *response.add_features());
  }
  response.add_spawn_formats("talus.v1.BodySpec");
  response.add_spawn_formats("talus.v1.SceneSpec");
  std::vector<std::string> services = ListServices();
  std::sort(services.begin(), services.end());
  for (std::string& service : services) response.add_services(std::move(service));
}

}  // namespace talus::rpc
