#include "server/rpc/library_logs.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include <string>

#include "absl/strings/escaping.h"
#include "server/telemetry/log.h"

namespace talus::rpc {
namespace {

void LogOf(const char* library, bool error, std::string message) {
  telemetry::Log(error ? telemetry::LogLevel::kWarning : telemetry::LogLevel::kDebug, library,
                 {{"message", std::move(message)}});
}

}  // namespace

void RouteLibraryLogs() {
  gpr_set_log_function([](gpr_log_func_args* line) {
    LogOf("grpc", line->severity == GPR_LOG_SEVERITY_ERROR, line->message);
  });
  google::protobuf::SetLogHandler(
      [](google::protobuf::LogLevel level, const char*, int, const std::string& message) {
        // It quotes what came from outside, broken anywhere.
        LogOf("protobuf", level >= google::protobuf::LOGLEVEL_ERROR, absl::CEscape(message));
      });
}

}  // namespace talus::rpc
