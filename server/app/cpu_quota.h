// Whether this process may have only so much CPU time: of a container, of a service.
#pragma once

#include <filesystem>

namespace talus::app {

// True where a control group (version 1 or 2) that the process is in, or one above it, has a quota
// of CPU time (`cpu.max`, `cpu.cfs_quota_us`). What cannot be read has none. `root` is where /proc
// and /sys/fs/cgroup are looked for.
bool HasCpuQuota(const std::filesystem::path& root = "/");

}  // namespace talus::app
