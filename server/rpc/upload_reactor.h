// Takes the bytes of one snapshot chunk by chunk and stores them once all are there.
#pragma once

#include <memory>
#include <string>

#include "server/rpc/chunk_reactor.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

class UploadReactor final : public ChunkReactor<v1::UploadSnapshotRequest> {
 public:
  static UploadReactor* Make(grpc::CallbackServerContext& context, SceneHost& host, Room& room,
                             OpenStreams<ChunkReactor>& streams,
                             v1::UploadSnapshotResponse& response);

 private:
  UploadReactor(grpc::CallbackServerContext& context, SceneHost& host, Room& room,
                OpenStreams<ChunkReactor>& streams, v1::UploadSnapshotResponse& response)
      : ChunkReactor("SnapshotService/UploadSnapshot", context, host, room, streams),
        response_(response) {}
  absl::Status Take(v1::UploadSnapshotRequest& message, bool first) override;
  void Complete() override;
  void Drop() override { std::string().swap(bytes_); }

  v1::UploadSnapshotResponse& response_;
  std::string snapshot_id_;
  std::string bytes_;
};

}  // namespace talus::rpc
