#include "server/app/health_probe.h"

#include <chrono>
#include <cstdio>

#include "server/rpc/health_check.h"

namespace talus::app {

bool ProbeHealth(const std::string& address) {
  const absl::Status status = rpc::CheckHealth(address, std::chrono::seconds(5));
  if (status.ok()) {
    std::puts("SERVING");
  } else {
    std::fprintf(stderr, "%s: %s\n", address.c_str(), std::string(status.message()).c_str());
  }
  return status.ok();
}

}  // namespace talus::app
