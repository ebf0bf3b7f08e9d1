// talus.v1.RecordingService: starts, ends, lists and hands out recordings, and has them made again,
// through the recording archive.
#pragma once

#include <memory>

#include "server/rpc/service_context.h"
#include "server/wire/recording_codec.h"
#include "talus/v1/recording_service.grpc.pb.h"

namespace talus::rpc {

class RecordingService : public v1::RecordingService::CallbackService {
 public:
  explicit RecordingService(const ServiceContext& context) : context_(context) {}

  grpc::ServerUnaryReactor* StartRecording(grpc::CallbackServerContext* call_context,
                                           const v1::StartRecordingRequest* request,
                                           v1::StartRecordingResponse* response) override;
  grpc::ServerUnaryReactor* StopRecording(grpc::CallbackServerContext* call_context,
                                          const v1::StopRecordingRequest* request,
                                          v1::StopRecordingResponse* response) override;
  grpc::ServerUnaryReactor* GetRecording(grpc::CallbackServerContext* call_context,
                                         const v1::GetRecordingRequest* request,
                                         v1::GetRecordingResponse* response) override;
  grpc::ServerUnaryReactor* ListRecordings(grpc::CallbackServerContext* call_context,
                                           const v1::ListRecordingsRequest* request,
                                           v1::ListRecordingsResponse* response) override;
  grpc::ServerUnaryReactor* DeleteRecording(grpc::CallbackServerContext* call_context,
                                            const v1::DeleteRecordingRequest* request,
                                            v1::DeleteRecordingResponse* response) override;
  grpc::ServerWriteReactor<v1::DownloadRecordingResponse>* DownloadRecording(
      grpc::CallbackServerContext* call_context,
      const v1::DownloadRecordingRequest* request) override;
  grpc::ServerUnaryReactor* ReplayInputs(grpc::CallbackServerContext* call_context,
                                         const v1::ReplayInputsRequest* request,
                                         v1::ReplayInputsResponse* response) override;

 private:
  const ServiceContext& context_;
  // Shared with recordings, which may outlive the service.
  const RecordingArchive::Codec codec_ = std::make_shared<wire::ProtobufRecordingCodec>();
};

}  // namespace talus::rpc
