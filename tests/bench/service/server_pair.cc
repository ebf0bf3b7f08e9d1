#include "tests/bench/service/server_pair.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <unistd.h>

#include <fstream>
#include <utility>
#include <vector>

namespace talus::bench {
namespace {

constexpr int kMessageBytes = 64 << 20;

absl::StatusOr<client::ServerProcess> StartOne(const std::string& binary, Transport transport,
                                               std::vector<std::string> arguments) {
  client::ServerProcessOptions options;
  options.binary = binary;
  options.arguments = std::move(arguments);
  // Without an address it takes a unix socket in a folder of its own.
  if (transport == Transport::kTcp) {
    options.arguments.insert(options.arguments.end(), {"--listen", "127.0.0.1:0"});
  }
  client::Result<client::ServerProcess> started = client::ServerProcess::Start(options);
  if (!started) return absl::UnavailableError(started.error().ToString());
  return std::move(*started);
}

}  // namespace

std::shared_ptr<grpc::Channel> OpenChannel(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMessageBytes);
  arguments.SetMaxSendMessageSize(kMessageBytes);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

std::string FindBeside(const std::string& name) {
  std::string self(4096, '\0');
  const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size());
  self.resize(length > 0 ? static_cast<size_t>(length) : 0);
  return self.substr(0, self.rfind('/') + 1) + name;
}

const char* TransportName(Transport transport) {
  return transport == Transport::kTcp ? "tcp" : "unix";
}

absl::StatusOr<ServerPair> ServerPair::Start(Transport transport,
                                             std::vector<std::string> arguments) {
  return Start(transport, std::move(arguments), {});
}

absl::StatusOr<ServerPair> ServerPair::StartOnOneCore(Transport transport) {
  const Cores usable = FindUsableCores();
  if (usable.empty())
    return absl::UnavailableError("the kernel does not say which cores there are");
  const int core = usable.front();
  return Start(transport, {"--call-cores", std::to_string(core)}, {core});
}

absl::StatusOr<ServerPair> ServerPair::Start(Transport transport,
                                             std::vector<std::string> arguments,
                                             const Cores& echo_cores) {
  const std::string talus_binary = client::FindServerBinary();
  arguments.insert(arguments.end(), {"--log-level", "warning"});
  auto talus = StartOne(talus_binary, transport, std::move(arguments));
  if (!talus.ok()) return talus.status();
  const ChosenCores chosen(echo_cores);
  auto echo = StartOne(FindBeside("talus_echo_server"), transport, {});
  if (!echo.ok()) return echo.status();
  return ServerPair(*std::move(talus), *std::move(echo));
}

std::shared_ptr<grpc::Channel> ServerPair::OpenTalus() const {
  return OpenChannel(talus_.address());
}

std::shared_ptr<grpc::Channel> ServerPair::OpenEcho() const { return OpenChannel(echo_.address()); }

double ServerPair::ReadTalusMib() const {
  std::ifstream file("/proc/" + std::to_string(talus_.pid()) + "/statm");
  double all_pages = 0.0;
  double resident_pages = 0.0;
  file >> all_pages >> resident_pages;
  return resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

}  // namespace talus::bench
