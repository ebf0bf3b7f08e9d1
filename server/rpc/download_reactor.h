// Streams the bytes of one snapshot in chunks of at most 512 KiB, one write in flight.
//
// Send is called exactly once, by the completion that got the bytes or the failure. The reactor
// deletes itself once gRPC is done with it, which is never before Send. What all downloads hold for
// clients that do not read is bounded: beside others a download is refused that would take their
// sum beyond the largest snapshot (snapshot_bytes).
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/call_control.h"
#include "server/session/held_bytes.h"
#include "server/storage/snapshot_store.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

class DownloadReactor final : public grpc::ServerWriteReactor<v1::DownloadSnapshotResponse> {
 public:
  // `held`: by all downloads; outlives the call.
  DownloadReactor(grpc::CallbackServerContext& context, HeldBytes& held);

  const CallControlPtr& control() const { return control_; }
  // An info without an id is that of a scene's state now.
  void Send(absl::StatusOr<StoredSnapshot> snapshot);

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override { control_->Cancel(); }
  void OnDone() override { delete this; }
  void SendNextChunk();
  void End(const absl::Status& status);

  grpc::CallbackServerContext& context_;
  HeldBytes& held_;
  HeldBytes::Hold hold_;
  const CallControlPtr control_;
  std::string bytes_;
  size_t sent_ = 0;
  v1::DownloadSnapshotResponse chunk_;  // stays put while it is written
};

}  // namespace talus::rpc
