// What the server tells about scenes, snapshots and its own limits onto the wire.
#pragma once

#include "server/runtime/scene_info.h"
#include "server/session/limits.h"
#include "server/storage/snapshot_store.h"
#include "talus/v1/scene_service.pb.h"
#include "talus/v1/server_service.pb.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

void EncodeSceneInfo(const SceneInfo& info, v1::SceneInfo& message);
void EncodeSnapshotInfo(const SnapshotInfo& info, v1::SnapshotInfo& message);
void EncodeLimits(const Limits& limits, v1::Limits& message);

}  // namespace talus::rpc
