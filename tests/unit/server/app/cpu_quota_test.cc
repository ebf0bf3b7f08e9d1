// Quotas of CPU time as control groups of both versions state them.
#include "server/app/cpu_quota.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace talus::app {
namespace {

class CpuQuotaTest : public ::testing::Test {
 protected:
  void Write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = root_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  bool Found() { return HasCpuQuota(root_); }

  void TearDown() override { std::filesystem::remove_all(root_); }

  const std::filesystem::path root_ =
      std::filesystem::path(::testing::TempDir()) / ("cpu_quota_" + std::to_string(::getpid()));
};

TEST_F(CpuQuotaTest, OfVersionTwo) {
  Write("proc/self/cgroup", "0::/system.slice/talus.service\n");
  EXPECT_FALSE(Found()) << "nothing can be read";
  Write("sys/fs/cgroup/system.slice/talus.service/cpu.max", "max 100000\n");
  EXPECT_FALSE(Found());
  Write("sys/fs/cgroup/system.slice/talus.service/cpu.max", "150000 100000\n");
  EXPECT_TRUE(Found());
}

TEST_F(CpuQuotaTest, OfTheContainerItIsIn) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_FALSE(Found());
  Write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_TRUE(Found());
}

TEST_F(CpuQuotaTest, OfAGroupAbove) {
  Write("proc/self/cgroup", "0::/a/b/c\n");
  Write("sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  EXPECT_FALSE(Found());
  Write("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  EXPECT_TRUE(Found());
}

TEST_F(CpuQuotaTest, OfVersionOne) {
  Write("proc/self/cgroup", "4:memory:/job\n2:cpu,cpuacct:/job:1\n0::/\n");
  Write("sys/fs/cgroup/memory/job/cpu.cfs_quota_us", "10000\n");
  Write("sys/fs/cgroup/cpu,cpuacct/job:1/cpu.cfs_quota_us", "-1\n");
  EXPECT_FALSE(Found());
  Write("sys/fs/cgroup/cpu,cpuacct/job:1/cpu.cfs_quota_us", "150000\n");
  EXPECT_TRUE(Found());
}

TEST_F(CpuQuotaTest, NothingAndNonsenseAreNone) {
  EXPECT_FALSE(Found());
  Write("proc/self/cgroup", "\n:\ncpu\n1:cpuset:/\n::\n0::/../..\n");
  Write("sys/fs/cgroup/cpu.max", "");
  EXPECT_FALSE(Found());
}

}  // namespace
}  // namespace talus::app
