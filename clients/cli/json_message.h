// A message of the schema in proto3 JSON, as a user writes it into a file: read with errors that
// name file, line and field, and errors of the server brought back to a line. Whether it makes
// sense is the server's to say. Scene files and the requests of analyses are such.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "clients/cli/json_positions.h"
#include "clients/cpp/result.h"

namespace talus::cli {

// Where the values of `text` stand, once they are in `message`. `path` is for the errors, which
// have Code::kInvalidArgument.
client::Result<JsonPositions> ParseJsonMessage(const std::string& path, const std::string& text,
                                               google::protobuf::Message& message);

// `scene.json:17: ` when the error names a field that stands in the file, else empty. Of the field,
// `outer` is no part of the file.
std::string PlaceInFile(const std::string& path, const JsonPositions& positions,
                        const client::Error& error, std::string_view outer = "");

}  // namespace talus::cli
