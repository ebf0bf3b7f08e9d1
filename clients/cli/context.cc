#include "clients/cli/context.h"

#include <google/protobuf/util/json_util.h>

#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace talus::cli {
namespace {

constexpr char kDefaultAddress[] = "127.0.0.1:50051";

std::string Prefixed(const std::string& prefix, const std::string& text) {
  return text.rfind(prefix, 0) == 0 ? text : prefix + text;
}

}  // namespace

void Context::AddOptions(CLI::App& app) {
  app.add_option("--server,-s", server,
                 "Address of the server: host:port or unix:/path [TALUS_SERVER_ADDRESS, else "
                 "127.0.0.1:50051]");
  app.add_flag("--json", json, "Print results as JSON, one value a line");
  app.add_option("--timeout", timeout_s, "Seconds a call may take; 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

std::string Context::Address() const {
  if (!server.empty()) return server;
  const char* named = std::getenv("TALUS_SERVER_ADDRESS");
  return named != nullptr && *named != '\0' ? named : kDefaultAddress;
}

client::CallOptions Context::Call() const {
  client::CallOptions options;
  options.timeout = std::chrono::milliseconds(static_cast<int64_t>(timeout_s * 1000));
  return options;
}

int Context::Report(const client::Error& error) const {
  std::fprintf(stderr, "talusctl: %s\n", error.ToString().c_str());
  const v1::ErrorDetail& detail = error.detail;
  if (detail.reason() != v1::ERROR_REASON_UNSPECIFIED) {
    std::fprintf(stderr, "  %s\n", detail.ShortDebugString().c_str());
  }
  if (error.code == client::Code::kUnavailable && detail.reason() == v1::ERROR_REASON_UNSPECIFIED) {
    std::fprintf(stderr, "  is a server running at %s? (--server, TALUS_SERVER_ADDRESS)\n",
                 Address().c_str());
  }
  return ExitCodeOf(error.code);
}

int Complain(int code, const std::string& text) {
  std::fprintf(stderr, "talusctl: %s\n", text.c_str());
  return code;
}

std::string ToJson(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(message, &text, options);
  if (!status.ok()) return "{}";
  return text;
}

void PrintJson(const google::protobuf::Message& message) {
  std::printf("%s\n", ToJson(message).c_str());
  std::fflush(stdout);
}

std::string SceneName(const std::string& text) { return Prefixed("scenes/", text); }
std::string SnapshotName(const std::string& text) { return Prefixed("snapshots/", text); }
std::string RecordingName(const std::string& text) { return Prefixed("recordings/", text); }

client::Result<std::string> ChooseScene(client::Client& client, const std::string& text,
                                        const client::CallOptions& options) {
  if (!text.empty()) return SceneName(text);
  v1::ListScenesRequest request;
  request.set_page_size(2);
  auto response = client.ListScenes(request, options);
  if (!response) return response.error();
  if (response->scenes_size() == 1) return response->scenes(0).scene();
  client::Error error;
  error.code =
      response->scenes_size() == 0 ? client::Code::kNotFound : client::Code::kInvalidArgument;
  error.message = response->scenes_size() == 0 ? "the server holds no scene"
                                               : "the server holds several scenes: name one";
  return error;
}

std::string HexHash(uint64_t hash) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, hash);
  return digits;
}

}  // namespace talus::cli
