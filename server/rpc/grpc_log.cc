#include "server/rpc/grpc_log.h"

#include <grpc/support/log.h>

#include "server/telemetry/log.h"

namespace talus::rpc {

void RouteGrpcLog() {
  gpr_set_log_function([](gpr_log_func_args* line) {
    const bool error = line->severity == GPR_LOG_SEVERITY_ERROR;
    telemetry::Log(error ? telemetry::LogLevel::kWarning : telemetry::LogLevel::kDebug, "grpc",
                   {{"message", line->message}});
  });
}

}  // namespace talus::rpc
