// Takes the bytes of one snapshot chunk by chunk and stores them once all are there.
//
// What has come so far is held in memory, never more of all uploads together than one snapshot may
// have: the first chunk beyond ends its call, and so does a silence of kSnapshotPatience. It
// deletes itself once gRPC is done with it.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "server/rpc/open_streams.h"
#include "server/rpc/planned_end.h"
#include "server/session/scene_host.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

class UploadReactor final : public grpc::ServerReadReactor<v1::UploadSnapshotRequest>,
                            public std::enable_shared_from_this<UploadReactor> {
 public:
  // Lives until gRPC is done, and until then among `streams`. `held_bytes`: of all uploads under
  // way; outlives them.
  static UploadReactor* Make(grpc::CallbackServerContext& context, SceneHost& host,
                             std::atomic<int64_t>& held_bytes, OpenStreams<UploadReactor>& streams,
                             v1::UploadSnapshotResponse& response);
  // Ends it with `status` unless all has come: then it is stored, and the call ends with that.
  void End(const absl::Status& status);

 private:
  UploadReactor(grpc::CallbackServerContext& context, SceneHost& host,
                std::atomic<int64_t>& held_bytes, OpenStreams<UploadReactor>& streams,
                v1::UploadSnapshotResponse& response);
  void OnReadDone(bool ok) override;
  void OnDone() override;
  void Read();
  // Looks after a while whether chunks still come.
  void WatchSilence();
  absl::Status Take();
  void Store();
  void FinishWith(const absl::Status& status);
  void FinishIfDue();

  grpc::CallbackServerContext& context_;
  SceneHost& host_;
  std::atomic<int64_t>& held_bytes_;
  int64_t held_here_ = 0;
  OpenStreams<UploadReactor>& streams_;
  std::shared_ptr<UploadReactor> self_;
  v1::UploadSnapshotResponse& response_;
  v1::UploadSnapshotRequest message_;  // stays put while it is read
  std::atomic<int64_t> read_count_{0};
  bool first_ = true;
  std::string snapshot_id_;
  std::string bytes_;
  PlannedEnd end_;
};

}  // namespace talus::rpc
