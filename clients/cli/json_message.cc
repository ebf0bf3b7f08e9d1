#include "clients/cli/json_message.h"

#include <google/protobuf/util/json_util.h>

namespace talus::cli {
namespace {

// The field that protobuf's JSON reader complains about: `(bodies[0].kind): invalid …`,
// `(bodies[0]) masss: Cannot …`, `settings: Proto field is not repeating …`.
std::string FieldOf(const std::string& message) {
  if (message.empty() || message[0] != '(') return message.substr(0, message.find(':'));
  const size_t end = message.find(')');
  const std::string path = message.substr(1, end - 1);
  const std::string rest = end == std::string::npos ? "" : message.substr(end + 1);
  if (rest.rfind(" ", 0) != 0) return path;
  const std::string name = rest.substr(1, rest.find(':') - 1);
  return path.empty() ? name : path + "." + name;
}

}  // namespace

client::Result<JsonPositions> ParseJsonMessage(const std::string& path, const std::string& text,
                                               google::protobuf::Message& message) {
  JsonPositions positions;
  if (const auto error = positions.Scan(text)) {
    return MakeError(client::Code::kInvalidArgument, path + ":" + std::to_string(error->line) +
                                                         ":" + std::to_string(error->column) +
                                                         ": " + error->message);
  }
  const auto status = google::protobuf::util::JsonStringToMessage(text, &message);
  if (status.ok()) return positions;
  const std::string reason(status.message().data(), status.message().size());
  const int line = positions.FindLine(FieldOf(reason));
  return MakeError(client::Code::kInvalidArgument,
                   path + ":" + (line > 0 ? std::to_string(line) + ":" : "") + " " + reason);
}

std::string PlaceInFile(const std::string& path, const JsonPositions& positions,
                        const client::Error& error, std::string_view outer) {
  // `size(spec.bodies[0].shapes)` included.
  std::string field = error.detail.field();
  if (field.rfind("size(", 0) == 0 && field.ends_with(")")) {
    field = field.substr(5, field.size() - 6);
  }
  if (field.rfind(outer, 0) == 0) field.erase(0, outer.size());
  const int line = positions.FindLine(field);
  return line > 0 ? path + ":" + std::to_string(line) + ": " : "";
}

}  // namespace talus::cli
