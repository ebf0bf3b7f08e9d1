// Models between the wire and what imports them: options one way, what became of them the other.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "server/model/model_file.h"
#include "server/model/model_import.h"
#include "server/model/model_options.h"
#include "talus/v1/model.pb.h"

namespace talus::wire {

// INVALID_ARGUMENT: an enum value that is none. Ranges are the question of model_import.h.
absl::StatusOr<model::ModelOptions> DecodeModelOptions(const v1::ModelOptions& message);
// Borrows from the messages.
std::vector<model::ModelFile> DecodeModelFiles(
    const google::protobuf::RepeatedPtrField<v1::ModelFile>& messages);
void EncodeModelReport(const model::ModelReport& report, v1::ModelReport& message);

}  // namespace talus::wire
