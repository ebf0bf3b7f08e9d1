#include "clients/cli/own_server.h"

#include <CLI/CLI.hpp>

#include "clients/cpp/server_process.h"

namespace talus::cli {

void OwnServer::AddOption(CLI::App& command) {
  command.add_option("--server-binary", binary, "talus_server to start")->envname("TALUS_SERVER");
}

int OwnServer::Use(const Context& context, const std::function<int(client::Client)>& use) const {
  if (!context.server.empty()) return use(context.Connect());
  client::ServerProcessOptions options;
  options.binary = binary;
  options.arguments = {"--max-message-mib", std::to_string(client::kMostMessageMib), "--log-level",
                       "error", "--accept-hdf5"};
  auto server = client::ServerProcess::Start(options);
  if (!server) return Complain(kExitFailure, server.error().message);
  const int code = use(client::Client(server->address(), {client::kMostMessageMib}));
  server->Terminate();
  return code;
}

}  // namespace talus::cli
