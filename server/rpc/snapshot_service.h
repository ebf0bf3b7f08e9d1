// talus.v1.SnapshotService: saves, restores, forks and downloads scenes through the snapshot
// archive.
#pragma once

#include "server/rpc/open_streams.h"
#include "server/rpc/service_context.h"
#include "server/rpc/upload_reactor.h"
#include "server/session/held_bytes.h"
#include "talus/v1/snapshot_service.grpc.pb.h"

namespace talus::rpc {

class SnapshotService : public v1::SnapshotService::CallbackService {
 public:
  explicit SnapshotService(const ServiceContext& context)
      : context_(context),
        uploading_{"snapshot_bytes", context.host.options().limits.snapshot_bytes},
        downloading_(context.host.options().limits.snapshot_bytes) {}

  grpc::ServerUnaryReactor* CreateSnapshot(grpc::CallbackServerContext* call_context,
                                           const v1::CreateSnapshotRequest* request,
                                           v1::CreateSnapshotResponse* response) override;
  grpc::ServerUnaryReactor* GetSnapshot(grpc::CallbackServerContext* call_context,
                                        const v1::GetSnapshotRequest* request,
                                        v1::GetSnapshotResponse* response) override;
  grpc::ServerReadReactor<v1::UploadSnapshotRequest>* UploadSnapshot(
      grpc::CallbackServerContext* call_context, v1::UploadSnapshotResponse* response) override;
  grpc::ServerUnaryReactor* ListSnapshots(grpc::CallbackServerContext* call_context,
                                          const v1::ListSnapshotsRequest* request,
                                          v1::ListSnapshotsResponse* response) override;
  grpc::ServerUnaryReactor* DeleteSnapshot(grpc::CallbackServerContext* call_context,
                                           const v1::DeleteSnapshotRequest* request,
                                           v1::DeleteSnapshotResponse* response) override;
  grpc::ServerUnaryReactor* RestoreSnapshot(grpc::CallbackServerContext* call_context,
                                            const v1::RestoreSnapshotRequest* request,
                                            v1::RestoreSnapshotResponse* response) override;
  grpc::ServerUnaryReactor* ForkScene(grpc::CallbackServerContext* call_context,
                                      const v1::ForkSceneRequest* request,
                                      v1::ForkSceneResponse* response) override;
  grpc::ServerWriteReactor<v1::DownloadSnapshotResponse>* DownloadSnapshot(
      grpc::CallbackServerContext* call_context,
      const v1::DownloadSnapshotRequest* request) override;

  // Uploads under way, and those that come later, end with UNAVAILABLE (DRAINING) unless all of one
  // has come: that is stored.
  void EndStreams() { uploads_.EndAll(); }

 private:
  const ServiceContext& context_;
  UploadReactor::Room uploading_;
  OpenStreams<ChunkReactor<v1::UploadSnapshotRequest>> uploads_;
  HeldBytes downloading_;
};

}  // namespace talus::rpc
