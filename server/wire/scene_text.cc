#include "server/wire/scene_text.h"

#include <google/protobuf/util/json_util.h>

#include <string_view>

#include "absl/strings/escaping.h"
#include "server/wire/scene_codec.h"
#include "solver/base/field_error.h"
#include "talus/v1/scene.pb.h"

namespace talus::wire {
namespace {

// What the parser says quotes the text, wherever that puts the ends of the quotation.
std::string DescribeFault(const std::string& message) {
  constexpr size_t kLongest = 200;
  return absl::CEscape(message.substr(0, kLongest));
}

}  // namespace

absl::StatusOr<SceneDef> DecodeSceneText(const std::string& text, const char* field) {
  constexpr size_t kLongestQuote = 40;
  v1::SceneSpec spec;
  const auto parsed = google::protobuf::util::JsonStringToMessage(text, &spec);
  if (parsed.ok()) return DecodeScene(spec, field);
  return FieldError(field, FormatValue(std::string_view(text).substr(0, kLongestQuote)),
                    "must be a talus.v1.SceneSpec as JSON: " + DescribeFault(parsed.ToString()));
}

}  // namespace talus::wire
