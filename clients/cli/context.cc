#include "clients/cli/context.h"

#include <google/protobuf/util/json_util.h>

#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "clients/cli/number_check.h"

namespace talus::cli {
namespace {

constexpr char kDefaultAddress[] = "127.0.0.1:50051";
// Clocks count nanoseconds in 64 bits.
constexpr double kMostTimeoutS = 1e9;

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
      ->check(NumberIn(0, kMostTimeoutS))
      ->capture_default_str();
  app.add_flag("--tls", tls, "Speak TLS, with the system's authorities unless --tls-ca");
  app.add_option("--tls-ca", access_files.ca,
                 "PEM file of the authorities of the server's certificate [TALUS_CLIENT_TLS_CA]");
  app.add_option("--tls-cert", access_files.certificate,
                 "PEM file of the certificate to show the server [TALUS_CLIENT_TLS_CERT]");
  app.add_option("--tls-key", access_files.key, "PEM file of its key [TALUS_CLIENT_TLS_KEY]");
  app.add_option("--tls-server-name", server_name,
                 "Name the server's certificate must have, instead of the address's");
  app.add_option(
      "--token-file", access_files.token,
      "File that holds the token [TALUS_CLIENT_TOKEN_FILE; or the token in TALUS_TOKEN]");
}

client::Result<client::Access> Context::FindAccess() const {
  const auto choose = [](const std::string& given, const char* variable) {
    const char* named = std::getenv(variable);
    return given.empty() && named != nullptr ? std::string(named) : given;
  };
  auto access = client::ReadAccess({choose(access_files.ca, "TALUS_CLIENT_TLS_CA"),
                                    choose(access_files.certificate, "TALUS_CLIENT_TLS_CERT"),
                                    choose(access_files.key, "TALUS_CLIENT_TLS_KEY"),
                                    choose(access_files.token, "TALUS_CLIENT_TOKEN_FILE")});
  if (!access) return access;
  access->tls = access->tls || tls;
  access->server_name = server_name;
  if (access->token.empty()) access->token = choose("", "TALUS_TOKEN");
  if (const auto misuse = client::FindMisuse(Address(), *access)) return *misuse;
  return access;
}

client::Client Context::Connect() const {
  auto access = FindAccess();
  if (!access) std::exit(Complain(kExitUsage, access.error().message));
  client::ClientOptions options;
  // The server's limit is the one that counts.
  options.message_mib = client::kMostMessageMib;
  options.access = *std::move(access);
  return client::Client(Address(), options);
}

std::string Context::Address() const {
  if (!server.empty()) return server;
  const char* named = std::getenv("TALUS_SERVER_ADDRESS");
  return named != nullptr && *named != '\0' ? named : kDefaultAddress;
}

client::CallOptions Context::Call() const {
  client::CallOptions options;
  // A fraction of a millisecond must not become 0, which is no limit.
  options.timeout = std::chrono::milliseconds(static_cast<int64_t>(std::ceil(timeout_s * 1000)));
  return options;
}

int Context::Report(const client::Error& error) const {
  std::fprintf(stderr, "talusctl: %s\n", error.ToString().c_str());
  const v1::ErrorDetail& detail = error.detail;
  if (detail.reason() != v1::ERROR_REASON_UNSPECIFIED) {
    std::fprintf(stderr, "  %s\n", detail.ShortDebugString().c_str());
  }
  if (error.code == client::Code::kUnauthenticated) {
    std::fprintf(stderr, "  give a token: --token-file, TALUS_CLIENT_TOKEN_FILE or TALUS_TOKEN\n");
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
