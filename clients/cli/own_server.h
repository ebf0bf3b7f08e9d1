// The server of a command that brings all it needs, such as solve: that of --server, else one of
// its own that lives as long as the command. The environment's address is for sharing a server, as
// with runs. It does not know what the server is asked.
#pragma once

#include <functional>
#include <string>

#include "clients/cli/context.h"

namespace CLI {
class App;
}

namespace talus::cli {

struct OwnServer {
  std::string binary;  // of talus_server; empty: as client::FindServerBinary says

  // --server-binary.
  void AddOption(CLI::App& command);
  // What `use` returns; kExitFailure where no server starts.
  int Use(const Context& context, const std::function<int(client::Client)>& use) const;
};

}  // namespace talus::cli
