// Streams the file of one recording in chunks of at most 512 KiB: one chunk read, one write in
// flight.
//
// Send is called exactly once, with the opened file or the failure. The reactor deletes itself once
// gRPC is done with it, which is never before Send.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "server/session/recording_archive.h"
#include "talus/v1/recording_service.pb.h"

namespace talus::rpc {

void EncodeRecording(const RecordingInfo& info, v1::Recording& message);

class RecordingDownload final : public grpc::ServerWriteReactor<v1::DownloadRecordingResponse> {
 public:
  using Opened = std::pair<RecordingInfo, std::shared_ptr<RecordingView>>;

  RecordingDownload(grpc::CallbackServerContext& context, RecordingArchive& archive)
      : context_(context), archive_(archive) {}

  void Send(absl::StatusOr<Opened> opened);

 private:
  void OnWriteDone(bool ok) override;
  void OnDone() override { delete this; }
  void ReadNextChunk();
  void End(const absl::Status& status);

  grpc::CallbackServerContext& context_;
  RecordingArchive& archive_;
  std::shared_ptr<RecordingView> view_;
  int64_t sent_ = 0;
  v1::DownloadRecordingResponse chunk_;  // stays put while it is written
};

}  // namespace talus::rpc
