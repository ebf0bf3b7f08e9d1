// Streams the bytes of one snapshot in chunks of at most 512 KiB, one write in flight.
//
// Send is called exactly once, by the completion that got the bytes or the failure. The reactor
// owns itself until gRPC is done with it, which is never before Send. What all downloads hold for
// clients that do not read is bounded: beside others a download is refused that would take their
// sum beyond the largest snapshot (snapshot_bytes). And so is for how long: who takes no chunk for
// kSnapshotPatience is cut off.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/rpc/held_end.h"
#include "server/runtime/call_control.h"
#include "server/runtime/clock.h"
#include "server/session/held_bytes.h"
#include "server/storage/snapshot_store.h"
#include "solver/base/mutex.h"
#include "talus/v1/snapshot_service.pb.h"

namespace talus::rpc {

class DownloadReactor final : public grpc::ServerWriteReactor<v1::DownloadSnapshotResponse>,
                              public std::enable_shared_from_this<DownloadReactor> {
 public:
  // `held`: by all downloads; outlives the call, as `clock` does.
  static DownloadReactor* Make(grpc::CallbackServerContext& context, Clock& clock, HeldBytes& held);

  const CallControlPtr& control() const { return control_; }
  // An info without an id is that of a scene's state now.
  void Send(absl::StatusOr<StoredSnapshot> snapshot);

 private:
  DownloadReactor(grpc::CallbackServerContext& context, Clock& clock, HeldBytes& held);
  void OnWriteDone(bool ok) override;
  void OnCancel() override { control_->Cancel(); }
  void OnDone() override { self_.reset(); }  // the last owner; nothing may follow
  void SendNextChunk();
  // Looks after a while whether chunks are still taken.
  void PlanCutOff() TALUS_REQUIRES(mutex_);
  void CutOff(int64_t written_before);
  void End(const absl::Status& status);

  grpc::CallbackServerContext& context_;
  Clock& clock_;
  std::shared_ptr<DownloadReactor> self_;
  HeldBytes& held_;
  HeldBytes::Hold hold_;
  const CallControlPtr control_;
  std::string bytes_;
  size_t sent_ = 0;
  v1::DownloadSnapshotResponse chunk_;  // stays put while it is written

  Mutex mutex_;
  bool writing_ TALUS_GUARDED_BY(mutex_) = false;
  int64_t written_ TALUS_GUARDED_BY(mutex_) = 0;  // chunks
  HeldEnd end_ TALUS_GUARDED_BY(mutex_);          // while the client is cut off
};

}  // namespace talus::rpc
