// Decides at the head of every call whether it goes on: is the bearer known, may he do this, does
// he call too often.
//
// With no tokens and no rate everything goes on at no cost. Promises that no message and no log
// line repeats a token. What an RPC needs stands in access_table.h; how a refusal reaches the
// caller is gated_services.h's business.
#pragma once

#include <grpcpp/server_context.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "server/rpc/access_table.h"
#include "server/runtime/clock.h"
#include "server/security/rate_limiter.h"
#include "server/security/token_table.h"

namespace talus::rpc {

class CallGate {
 public:
  // No tokens: every caller may do everything. No limiter: as often as he likes. `clock` must
  // outlive the gate.
  CallGate(TokenTable tokens, std::unique_ptr<RateLimiter> limiter, const Clock& clock);

  // OK, UNAUTHENTICATED (UNAUTHENTICATED), PERMISSION_DENIED (SCOPE_MISSING) or RESOURCE_EXHAUSTED
  // (LIMIT_REACHED). `resource` is the name of what the call is about, for the log; it may be
  // empty.
  absl::Status Admit(const RpcAccess& rpc, const grpc::CallbackServerContext& context,
                     const std::string& resource) const;
  // For a call that was admitted and turns out to ask for more than its RPC does: OK or
  // PERMISSION_DENIED (SCOPE_MISSING). Counts for no rate.
  absl::Status RequireScope(const RpcAccess& rpc, Scope scope,
                            const grpc::CallbackServerContext& context) const;
  // Who calls, as the limits of one client count him: the name of his token, where there are none
  // his address.
  std::string NameClient(const grpc::CallbackServerContext& context) const;
  // Nothing is checked and nothing is logged: Admit need not be called.
  bool open() const { return tokens_.size() == 0 && limiter_ == nullptr; }

 private:
  const TokenTable tokens_;
  const std::unique_ptr<RateLimiter> limiter_;
  const Clock& clock_;
};

// `ipv4:10.0.0.7` of `ipv4:10.0.0.7:41234`: who calls, whichever connection he uses. Of IPv6 the
// network, `ipv6:2001:db8:1:2::/64`, whose addresses are all its holder's. A unix socket is one
// client.
std::string PeerHost(const std::string& peer);

}  // namespace talus::rpc
