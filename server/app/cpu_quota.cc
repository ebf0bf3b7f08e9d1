#include "server/app/cpu_quota.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"

namespace talus::app {
namespace {

// The first word of the file: a number of microseconds, or that there is no limit (`max`, `-1`).
bool IsLimited(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string quota;
  return in >> quota && quota != "max" && quota != "-1";
}

// In the group or in one above it, up to the folder where they are mounted.
bool IsLimitedUpTo(const std::filesystem::path& mount, std::filesystem::path group,
                   const char* file) {
  for (group = group.lexically_normal().relative_path(); !group.empty();
       group = group.parent_path()) {
    if (IsLimited(mount / group / file)) return true;
  }
  return IsLimited(mount / file);
}

}  // namespace

bool HasCpuQuota(const std::filesystem::path& root) {
  const std::filesystem::path mounts = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    // NUMBER:CONTROLLERS:PATH; version 2 names no controllers.
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    const std::vector<std::string> controllers = absl::StrSplit(parts[1], ',');
    if (parts[1].empty()) {
      if (IsLimitedUpTo(mounts, parts[2], "cpu.max")) return true;
    } else if (std::ranges::find(controllers, "cpu") != controllers.end()) {
      if (IsLimitedUpTo(mounts / parts[1], parts[2], "cpu.cfs_quota_us")) return true;
    }
  }
  return false;
}

}  // namespace talus::app
