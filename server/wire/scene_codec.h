// Whole scenes, their materials and emitters between the wire and the solver's descriptions. Same
// promises as body_codec.h.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "solver/scene/scene_def.h"
#include "talus/v1/scene.pb.h"

namespace talus::wire {

// `field` is the name of the request's field that holds the scene, a literal.
absl::StatusOr<SceneDef> DecodeScene(const v1::SceneSpec& message, const char* field);
void EncodeScene(const SceneDef& scene, v1::SceneSpec& message);

// Neither can fail: every bit pattern has a description, good or bad.
std::vector<NamedMaterial> DecodeMaterials(
    const google::protobuf::RepeatedPtrField<v1::NamedMaterial>& messages);
std::vector<EmitterDef> DecodeEmitters(
    const google::protobuf::RepeatedPtrField<v1::EmitterSpec>& messages);
void EncodeMaterials(const std::vector<NamedMaterial>& materials,
                     google::protobuf::RepeatedPtrField<v1::NamedMaterial>& messages);
void EncodeEmitter(const EmitterDef& emitter, v1::EmitterSpec& message);

}  // namespace talus::wire
