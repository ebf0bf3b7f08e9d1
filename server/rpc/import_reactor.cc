#include "server/rpc/import_reactor.h"

#include <utility>

#include "server/rpc/field_names.h"
#include "server/rpc/info_encoding.h"
#include "server/session/resource_name.h"
#include "server/wire/frame_codec.h"
#include "server/wire/model_codec.h"
#include "server/wire/scene_codec.h"
#include "solver/base/field_error.h"

namespace talus::rpc {

ImportReactor* ImportReactor::Make(grpc::CallbackServerContext& context,
                                   const ServiceContext& service, Room& room,
                                   OpenStreams<ChunkReactor>& streams,
                                   v1::ImportModelResponse& response) {
  std::shared_ptr<ImportReactor> reactor(
      new ImportReactor(context, service, room, streams, response));
  reactor->Begin(reactor);
  return reactor.get();
}

absl::Status ImportReactor::BeginModel(v1::ModelImport& model) {
  absl::StatusOr<std::string> id = ParseSceneName(model.scene());
  if (!id.ok())
    return RenameField(id.status(),
                       [](std::string_view field) { return "model." + std::string(field); });
  auto scene = host().registry().Find(*id);
  if (!scene.ok()) return scene.status();
  auto options = wire::DecodeModelOptions(model.options());
  if (!options.ok()) return PrefixField(options.status(), "model.options");
  scene_ = *std::move(scene);
  options_ = *std::move(options);
  model_ = std::move(model);
  return absl::OkStatus();
}

absl::Status ImportReactor::Take(v1::ImportModelRequest& message, bool first) {
  if (first != message.has_model()) {
    return InvalidFieldError("model", first ? "nothing" : "set again",
                             "must be in the first message, and there alone");
  }
  if (first) {
    absl::Status status = BeginModel(*message.mutable_model());
    if (!status.ok()) return status;
  }
  if (!message.file_name().empty()) {
    files_.push_back({std::move(*message.mutable_file_name()), {}});
    if (files_.size() > model::kMaxFiles) {
      return InvalidFieldError("file_name", FormatValue(std::string_view(files_.back().name)),
                               "must begin at most 256 files");
    }
  } else if (!message.chunk().empty() && files_.empty()) {
    return InvalidFieldError("file_name", "\"\"", "must name the first file");
  }
  if (!files_.empty()) files_.back().bytes += message.chunk();
  return absl::OkStatus();
}

absl::StatusOr<const ImportReactor::File*> ImportReactor::FindUrdf() const {
  const std::string& wanted = model_.urdf_file();
  const File* found = nullptr;
  for (const File& file : files_) {
    const bool fits = wanted.empty() ? file.name.ends_with(".urdf") : file.name == wanted;
    if (!fits) continue;
    if (found != nullptr && wanted.empty()) {
      return InvalidFieldError("model.urdf_file", "\"\"",
                               "must name one of several files that end in .urdf");
    }
    found = &file;
  }
  if (found != nullptr) return found;
  return InvalidFieldError(
      "model.urdf_file", FormatValue(std::string_view(wanted)),
      wanted.empty() ? "must be sent: no file ends in .urdf" : "must name a file that was sent");
}

absl::StatusOr<model::ImportedModel> ImportReactor::Import() const {
  absl::StatusOr<const File*> urdf = FindUrdf();
  if (!urdf.ok()) return urdf.status();
  std::vector<model::ModelFile> files;
  files.reserve(files_.size());
  for (const File& file : files_) files.push_back({file.name, file.bytes});
  return model::ImportModel((*urdf)->bytes, files, options_);
}

void ImportReactor::Complete() {
  if (scene_ == nullptr) {
    return FinishWith(
        InvalidFieldError("model", "nothing", "must be in the first message, and there alone"));
  }
  auto self = std::static_pointer_cast<ImportReactor>(shared_from_this());
  host().conversions().Submit<model::ImportedModel>(
      client_, control(), [self](const AnalysisQueue::Stop&) { return self->Import(); },
      [self](absl::StatusOr<model::ImportedModel> imported) { self->Add(std::move(imported)); });
}

void ImportReactor::Add(absl::StatusOr<model::ImportedModel> imported) {
  if (!imported.ok()) {
    return FinishWith(RenameField(imported.status(), [](std::string_view field) {
      return (field.starts_with("options.") ? "model." : "") + std::string(field);
    }));
  }
  auto model = std::make_shared<const model::ImportedModel>(*std::move(imported));
  auto self = std::static_pointer_cast<ImportReactor>(shared_from_this());
  scene_->AddBodies({model->bodies, wire::DecodeMaterials(model_.materials()), model->joints},
                    control(), [self, model](absl::StatusOr<AddBodiesAnswer> answer) {
                      if (answer.ok()) {
                        EncodeSceneInfo(answer->info, *self->response_.mutable_scene());
                        wire::EncodeLayout(*answer->layout, *self->response_.mutable_layout());
                        wire::EncodeModelReport(model->report, *self->response_.mutable_model());
                      }
                      self->FinishWith(RenameField(answer.status(), [&](std::string_view field) {
                        return model::NameField(field, *model, 0, 0);
                      }));
                    });
}

}  // namespace talus::rpc
