#include "server/app/access.h"

#include <chrono>
#include <string>
#include <utility>

#include "server/security/guarded_file.h"
#include "server/telemetry/log.h"

namespace talus::app {
namespace {

using telemetry::LogLevel;

constexpr int64_t kDaysToWarn = 30;

void WarnOfExpiry(const Options& options, std::chrono::system_clock::time_point expires,
                  std::chrono::system_clock::time_point now) {
  const int64_t days = std::chrono::duration_cast<std::chrono::hours>(expires - now).count() / 24;
  if (days >= kDaysToWarn) return;
  telemetry::Log(LogLevel::kWarning, "certificate ends soon",
                 {{"tls_cert", options.tls.certificate}, {"days_left", std::to_string(days)}});
}

}  // namespace

absl::StatusOr<rpc::AccessOptions> LoadAccess(const Options& options) {
  rpc::AccessOptions access;
  if (!options.tls.certificate.empty()) {
    const auto now = std::chrono::system_clock::now();
    absl::StatusOr<TlsMaterial> tls = LoadTls(options.tls, now);
    if (!tls.ok()) return tls.status();
    WarnOfExpiry(options, tls->expires, now);
    access.tls = *std::move(tls);
  }
  if (!options.token_file.empty()) {
    auto text = ReadGuardedFile("--token-file", options.token_file, FileAccess::kGuarded);
    if (!text.ok()) return text.status();
    auto tokens = TokenTable::Parse(*text, "--token-file " + options.token_file);
    if (!tokens.ok()) return tokens.status();
    access.tokens = *std::move(tokens);
  }
  const Limits& limits = options.limits;
  if (limits.calls_per_second > 0) {
    const int64_t burst = limits.call_burst > 0 ? limits.call_burst : limits.calls_per_second;
    access.rate = RateLimiter::Options{.calls_per_s = static_cast<double>(limits.calls_per_second),
                                       .burst = static_cast<double>(burst)};
  }
  return access;
}

}  // namespace talus::app
