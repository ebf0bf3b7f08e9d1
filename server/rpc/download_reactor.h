// Streams the bytes of one snapshot in chunks of at most 1 MiB, one write in flight.
//
// Send is called exactly once, by the completion that got the bytes or the failure. The reactor
// deletes itself once gRPC is done with it, which is never before Send. What all downloads hold for
// clients that do not read is bounded: beside others a download is refused that would take their
// sum beyond the largest snapshot (snapshot_bytes).
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/call_control.h"
#include "server/session/scene_host.h"
#include "server/storage/snapshot_store.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

class DownloadReactor final : public grpc::ServerWriteReactor<v1::DownloadSnapshotResponse> {
 public:
  // `held_bytes`: of all downloads; it and `host` outlive the call.
  DownloadReactor(grpc::CallbackServerContext& context, const SceneHost& host,
                  std::atomic<int64_t>& held_bytes);

  const CallControlPtr& control() const { return control_; }
  // An info without an id is that of a scene's state now.
  void Send(absl::StatusOr<StoredSnapshot> snapshot);

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override { control_->Cancel(); }
  void OnDone() override;
  absl::Status Hold(int64_t size);
  void SendNextChunk();
  void End(const absl::Status& status);

  grpc::CallbackServerContext& context_;
  const SceneHost& host_;
  std::atomic<int64_t>& held_bytes_;
  int64_t held_here_ = 0;
  const CallControlPtr control_;
  std::string bytes_;
  size_t sent_ = 0;
  v1::DownloadSnapshotResponse chunk_;  // stays put while it is written
};

}  // namespace talus::rpc
