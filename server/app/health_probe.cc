#include "server/app/health_probe.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "server/rpc/health_check.h"
#include "server/security/guarded_file.h"

namespace talus::app {
namespace {

using rpc::ListenAddress;
using rpc::ParseListenAddress;

// Nothing: the address is asked in plain text, as every unix socket is.
absl::StatusOr<std::optional<rpc::HealthTls>> FindTls(const Options& options) {
  if (options.tls.certificate.empty() && options.health_check_ca.empty()) return std::nullopt;
  const absl::StatusOr<ListenAddress> address = ParseListenAddress(options.health_check);
  if (!address.ok()) return address.status();
  if (address->kind == ListenAddress::Kind::kUnix) return std::nullopt;
  rpc::HealthTls tls;
  // On this machine the certificate need not be made out to the address, and the file may be newer
  // than what the server runs with. The question gives nothing away, and plain text would believe
  // whoever answers as well.
  const bool here = address->IsLocal() || std::find(options.listen.begin(), options.listen.end(),
                                                    *address) != options.listen.end();
  tls.check_server = !here || !options.health_check_ca.empty();
  const auto read = [](const char* option, const std::string& path, FileAccess access,
                       std::string& pem) -> absl::Status {
    if (path.empty()) return absl::OkStatus();
    absl::StatusOr<std::string> text = ReadGuardedFile(option, path, access);
    if (text.ok()) pem = *std::move(text);
    return text.status();
  };
  absl::Status status = read("--tls-ca", options.health_check_ca, FileAccess::kPublic, tls.ca_pem);
  status.Update(
      read("--tls-cert", options.tls.certificate, FileAccess::kPublic, tls.certificate_pem));
  status.Update(read("--tls-key", options.tls.key, FileAccess::kGuarded, tls.key_pem));
  if (!status.ok()) return status;
  return tls;
}

absl::Status Ask(const Options& options) {
  const absl::StatusOr<std::optional<rpc::HealthTls>> tls = FindTls(options);
  if (!tls.ok()) return tls.status();
  return rpc::CheckHealth(options.health_check, std::chrono::seconds(5), *tls);
}

}  // namespace

bool ProbeHealth(const Options& options) {
  const absl::Status status = Ask(options);
  if (status.ok()) {
    std::puts("SERVING");
  } else {
    std::fprintf(stderr, "%s: %s\n", options.health_check.c_str(),
                 std::string(status.message()).c_str());
  }
  return status.ok();
}

}  // namespace talus::app
