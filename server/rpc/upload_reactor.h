// Takes the bytes of one snapshot chunk by chunk and stores them once all are there.
//
// What has come so far is held in memory, never more than one snapshot may have: the first chunk
// beyond ends the call. The reactor deletes itself once gRPC is done with it.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <string>

#include "absl/status/status.h"
#include "server/session/scene_host.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

class UploadReactor final : public grpc::ServerReadReactor<v1::UploadSnapshotRequest> {
 public:
  UploadReactor(grpc::CallbackServerContext& context, SceneHost& host,
                v1::UploadSnapshotResponse& response);

 private:
  void OnReadDone(bool ok) override;
  void OnDone() override { delete this; }
  absl::Status Take();
  void End(const absl::Status& status);

  grpc::CallbackServerContext& context_;
  SceneHost& host_;
  v1::UploadSnapshotResponse& response_;
  v1::UploadSnapshotRequest message_;  // stays put while it is read
  bool first_ = true;
  std::string snapshot_id_;
  std::string bytes_;
};

}  // namespace talus::rpc
