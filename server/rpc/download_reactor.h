// Streams the bytes of one snapshot in chunks of at most 1 MiB, one write in flight.
//
// Send is called exactly once, by the completion that got the bytes or the failure. The reactor
// deletes itself once gRPC is done with it, which is never before Send.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "server/runtime/call_control.h"
#include "server/storage/snapshot_store.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

class DownloadReactor final : public grpc::ServerWriteReactor<v1::DownloadSnapshotResponse> {
 public:
  explicit DownloadReactor(grpc::CallbackServerContext& context);

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
  const CallControlPtr control_;
  std::string bytes_;
  size_t sent_ = 0;
  v1::DownloadSnapshotResponse chunk_;  // stays put while it is written
};

}  // namespace talus::rpc
