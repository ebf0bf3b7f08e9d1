// Takes the bytes of one snapshot chunk by chunk and stores them once all are there.
//
// What has come so far is held in memory, never more of all uploads together than one snapshot may
// have: the first chunk beyond ends its call. The reactor deletes itself once gRPC is done with it.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "server/session/scene_host.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

class UploadReactor final : public grpc::ServerReadReactor<v1::UploadSnapshotRequest> {
 public:
  // `held_bytes`: of all uploads under way; outlives them.
  UploadReactor(grpc::CallbackServerContext& context, SceneHost& host,
                std::atomic<int64_t>& held_bytes, v1::UploadSnapshotResponse& response);

 private:
  void OnReadDone(bool ok) override;
  void OnDone() override;
  absl::Status Take();
  void End(const absl::Status& status);

  grpc::CallbackServerContext& context_;
  SceneHost& host_;
  std::atomic<int64_t>& held_bytes_;
  int64_t held_here_ = 0;
  v1::UploadSnapshotResponse& response_;
  v1::UploadSnapshotRequest message_;  // stays put while it is read
  bool first_ = true;
  std::string snapshot_id_;
  std::string bytes_;
};

}  // namespace talus::rpc
