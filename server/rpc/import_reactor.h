// Takes the files of one model chunk by chunk and puts the model into its scene once all are there.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "server/model/model_import.h"
#include "server/rpc/chunk_reactor.h"
#include "server/rpc/service_context.h"
#include "talus/v1/scene_service.pb.h"

namespace talus::rpc {

class ImportReactor final : public ChunkReactor<v1::ImportModelRequest> {
 public:
  static ImportReactor* Make(grpc::CallbackServerContext& context, const ServiceContext& service,
                             Room& room, OpenStreams<ChunkReactor>& streams,
                             v1::ImportModelResponse& response);

 private:
  struct File {
    std::string name;
    std::string bytes;
  };

  ImportReactor(grpc::CallbackServerContext& context, const ServiceContext& service, Room& room,
                OpenStreams<ChunkReactor>& streams, v1::ImportModelResponse& response)
      : ChunkReactor("SceneService/ImportModel", context, service.host, room, streams),
        client_(service.gate.NameClient(context)),
        response_(response) {}
  absl::Status Take(v1::ImportModelRequest& message, bool first) override;
  void Complete() override;
  void Drop() override { std::deque<File>().swap(files_); }

  absl::Status BeginModel(v1::ModelImport& model);
  // The one of files_ that describes the robot.
  absl::StatusOr<const File*> FindUrdf() const;
  // On a thread of conversions.
  absl::StatusOr<model::ImportedModel> Import() const;
  void Add(absl::StatusOr<model::ImportedModel> imported);

  const std::string client_;
  v1::ImportModelResponse& response_;
  v1::ModelImport model_;
  model::ModelOptions options_;
  std::shared_ptr<SceneActor> scene_;
  std::deque<File> files_;
};

}  // namespace talus::rpc
