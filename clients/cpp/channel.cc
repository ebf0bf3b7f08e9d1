#include "clients/cpp/channel.h"

#include <algorithm>
#include <map>

namespace talus::client {
namespace {

// A server that comes back is found within so long.
constexpr int kLongestBackoffMs = 2000;

// Adds the token to every call.
class TokenPlugin final : public grpc::MetadataCredentialsPlugin {
 public:
  explicit TokenPlugin(const std::string& token) : value_("Bearer " + token) {}

  bool IsBlocking() const override { return false; }
  grpc::Status GetMetadata(grpc::string_ref, grpc::string_ref, const grpc::AuthContext&,
                           std::multimap<grpc::string, grpc::string>* metadata) override {
    metadata->emplace("authorization", value_);
    return grpc::Status::OK;
  }
  grpc::string DebugString() override { return "token"; }

 private:
  const std::string value_;
};

std::shared_ptr<grpc::ChannelCredentials> MakeCredentials(const std::string& address,
                                                          const Access& access) {
  std::shared_ptr<grpc::ChannelCredentials> channel;
  if (access.tls) {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = access.ca_pem;
    options.pem_private_key = access.key_pem;
    options.pem_cert_chain = access.certificate_pem;
    channel = grpc::SslCredentials(options);
  } else if (access.token.empty()) {
    return grpc::InsecureChannelCredentials();
  } else {
    // Plain text that gRPC itself refuses to speak with another machine.
    channel =
        grpc::experimental::LocalCredentials(address.rfind("unix:", 0) == 0 ? UDS : LOCAL_TCP);
  }
  if (access.token.empty()) return channel;
  return grpc::CompositeChannelCredentials(
      channel, grpc::experimental::MetadataCredentialsFromPlugin(
                   std::make_unique<TokenPlugin>(access.token),
                   access.tls ? GRPC_PRIVACY_AND_INTEGRITY : GRPC_SECURITY_NONE));
}

}  // namespace

std::shared_ptr<grpc::Channel> OpenChannel(const std::string& address,
                                           const ClientOptions& options) {
  const int64_t bytes = std::min<int64_t>(options.message_mib * (int64_t{1} << 20), INT32_MAX);
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(static_cast<int>(bytes));
  arguments.SetMaxSendMessageSize(static_cast<int>(bytes));
  // Every Client has a connection of its own, so that what one of them does to it stays there.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // A proxy from the environment must not come between a client and a socket on this machine.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(options.ping_interval.count()));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, static_cast<int>(options.ping_timeout.count()));
  // A Control whose steps take long sends nothing meanwhile; pings go on.
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLongestBackoffMs);
  if (!options.access.server_name.empty()) {
    arguments.SetSslTargetNameOverride(options.access.server_name);
  }
  return grpc::CreateCustomChannel(address, MakeCredentials(address, options.access), arguments);
}

}  // namespace talus::client
