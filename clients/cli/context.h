// What every command shares: the options before the command's name, the connection they lead to,
// and the two ways of printing (text for people, JSON for programs). Results go to standard output,
// everything else to standard error. It does not know any command.
#pragma once

#include <google/protobuf/message.h>

#include <chrono>
#include <string>

#include "clients/cli/exit_code.h"
#include "clients/cpp/client.h"

namespace CLI {
class App;
}

namespace talus::cli {

struct Context {
  std::string server;  // as given on the command line; empty: not given
  bool json = false;
  double timeout_s = 60;  // of each call; 0: none
  bool tls = false;
  client::AccessFiles access_files;  // as given on the command line
  std::string server_name;
  int exit_code = kExitOk;

  void AddOptions(CLI::App& app);
  // --server, else TALUS_SERVER_ADDRESS, else 127.0.0.1:50051.
  std::string Address() const;
  // What the options and the environment say of TLS and the token: TALUS_CLIENT_TLS_CA, _CERT and
  // _KEY, TALUS_CLIENT_TOKEN_FILE or TALUS_TOKEN.
  client::Result<client::Access> FindAccess() const;
  // Ends the program with kExitUsage when the access cannot be used.
  client::Client Connect() const;
  client::CallOptions Call() const;
  // Prints the error to standard error and returns the exit code that belongs to it.
  int Report(const client::Error& error) const;
};

// One line `talusctl: TEXT` on standard error; returns `code`.
int Complain(int code, const std::string& text);

// The message as JSON on one line, field names as in the schema, numbers that are zero included.
std::string ToJson(const google::protobuf::Message& message);
void PrintJson(const google::protobuf::Message& message);

// `scenes/ID` of `ID` or `scenes/ID`; the same for snapshots and recordings.
std::string SceneName(const std::string& text);
std::string SnapshotName(const std::string& text);
std::string RecordingName(const std::string& text);
// `text` as a name; when it is empty, the name of the only scene on the server.
client::Result<std::string> ChooseScene(client::Client& client, const std::string& text,
                                        const client::CallOptions& options);

// 16 hex digits.
std::string HexHash(uint64_t hash);

}  // namespace talus::cli
