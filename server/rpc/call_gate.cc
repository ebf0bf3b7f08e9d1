#include "server/rpc/call_gate.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/strings/str_replace.h"
#include "server/rpc/status.h"
#include "server/session/error.h"
#include "server/telemetry/log.h"

namespace talus::rpc {
namespace {

constexpr char kAuthorizationKey[] = "authorization";
constexpr std::string_view kBearer = "Bearer ";

// What the caller sent as his token; empty when he sent none. Of several, the first counts.
std::string_view FindBearerToken(const grpc::CallbackServerContext& context) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(kAuthorizationKey);
  if (found == metadata.end()) return {};
  const std::string_view value(found->second.data(), found->second.size());
  if (value.substr(0, kBearer.size()) != kBearer) return {};
  return value.substr(kBearer.size());
}

std::string ClientName(const TokenGrant* grant, const grpc::CallbackServerContext& context) {
  return grant != nullptr ? grant->name : PeerHost(context.peer());
}

absl::Status CheckScope(const RpcAccess& rpc, Scope scope, const TokenGrant* grant,
                        bool token_sent) {
  if (grant == nullptr) return UnauthenticatedError(token_sent);
  if (grant->scope >= scope) return absl::OkStatus();
  return ScopeMissingError(std::string(rpc.method), grant->name,
                           std::string(ScopeName(grant->scope)), std::string(ScopeName(scope)));
}

}  // namespace

CallGate::CallGate(TokenTable tokens, std::unique_ptr<RateLimiter> limiter, const Clock& clock)
    : tokens_(std::move(tokens)), limiter_(std::move(limiter)), clock_(clock) {}

absl::Status CallGate::Admit(const RpcAccess& rpc, const grpc::CallbackServerContext& context,
                             const std::string& resource) const {
  const bool audited =
      rpc.note == AuditNote::kAudited && telemetry::IsLogged(telemetry::LogLevel::kInfo);
  if (open() && !audited) return absl::OkStatus();
  const std::string_view token = FindBearerToken(context);
  const TokenGrant* grant = tokens_.Find(token);
  // Who guesses tokens is slowed down by his address.
  if (limiter_ != nullptr) {
    absl::Status status = limiter_->Admit(ClientName(grant, context), clock_.Now());
    if (!status.ok()) return status;
  }
  if (tokens_.size() > 0) {
    absl::Status status = CheckScope(rpc, rpc.scope, grant, !token.empty());
    if (!status.ok()) return status;
  }
  if (audited) {
    telemetry::Log(telemetry::LogLevel::kInfo, "call begins",
                   {{"method", std::string(rpc.method)},
                    {"resource", resource},
                    {"client", grant != nullptr ? grant->name : std::string()},
                    {"request_id", ChosenRequestId(context)},
                    {"peer", context.peer()}});
  }
  return absl::OkStatus();
}

absl::Status CallGate::RequireScope(const RpcAccess& rpc, Scope scope,
                                    const grpc::CallbackServerContext& context) const {
  if (tokens_.size() == 0) return absl::OkStatus();
  const std::string_view token = FindBearerToken(context);
  return CheckScope(rpc, scope, tokens_.Find(token), !token.empty());
}

std::string CallGate::NameClient(const grpc::CallbackServerContext& context) const {
  const TokenGrant* grant = tokens_.size() == 0 ? nullptr : tokens_.Find(FindBearerToken(context));
  return ClientName(grant, context);
}

std::string PeerHost(const std::string& peer) {
  if (peer.rfind("ipv4:", 0) == 0) return peer.substr(0, peer.rfind(':'));
  if (peer.rfind("ipv6:", 0) != 0) return peer.substr(0, peer.find(':'));
  // `ipv6:[fe80::1%eth0]:41234`, of which gRPC may escape the brackets and the blank of the zone.
  std::string host = absl::StrReplaceAll(
      peer.substr(5, peer.rfind(':') - 5),
      {{"%5B", ""}, {"%5b", ""}, {"%5D", ""}, {"%5d", ""}, {"[", ""}, {"]", ""}});
  host = host.substr(0, host.find('%'));
  in6_addr address{};
  if (inet_pton(AF_INET6, host.c_str(), &address) != 1) return "ipv6";
  char text[INET6_ADDRSTRLEN] = {};
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    inet_ntop(AF_INET, &address.s6_addr[12], text, sizeof text);
    return std::string("ipv4:") + text;
  }
  // Half of an address is the holder's to choose.
  std::fill(address.s6_addr + 8, address.s6_addr + 16, uint8_t{0});
  inet_ntop(AF_INET6, &address, text, sizeof text);
  return std::string("ipv6:") + text + "/64";
}

}  // namespace talus::rpc
