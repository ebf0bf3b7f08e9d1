// A test of `talusctl run` with a folder of its own, and the run most tests make. It starts
// nothing.
#pragma once

#include <fcntl.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "clients/cli/run_record.pb.h"
#include "tests/support/file_text.h"

namespace talus::testing {

using Words = std::vector<std::string>;

// Stones pour into a tray and settle: a second or two of work.
inline constexpr char kStones[] = R"({
  "materials": [{"name": "stone", "material":
      {"slidingFriction": 0.6, "rollingFrictionM": 0.005, "spinningFrictionM": 0.005}}],
  "bodies": [{"name": "tray", "kind": "BODY_KIND_STATIC", "shapes": [{"container":
      {"innerLengthXM": 0.6, "innerLengthYM": 0.6, "wallHeightM": 0.3, "thicknessM": 0.1},
      "material": "stone"}]}],
  "emitters": [{"name": "hopper", "centerWorldM": {"z": 0.6}, "nozzleRadiusM": 0.1,
      "nozzleHeightM": 0.1, "ratePerS": 200, "particleCount": "150", "radiusMinM": 0.02,
      "radiusMaxM": 0.03, "densityKgM3": 2000, "material": "stone"}]
})";

class TalusctlRun : public ::testing::Test {
 protected:
  TalusctlRun() {
    std::string pattern = ::testing::TempDir() + "/run-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~TalusctlRun() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string WriteScene(const std::string& text, const std::string& name = "scene.json") {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }

  // 0 when there is no such file yet.
  uintmax_t FrameBytes(const std::string& out) const {
    std::error_code missing;
    const auto size = std::filesystem::file_size(Path(out) + "/frames.binpb", missing);
    return missing ? 0 : size;
  }

  // The server of a run that was killed dies with it, but may hold the folder for another moment.
  void AwaitUnlocked(const std::string& out) {
    const int lock = ::open((Path(out) + "/.lock").c_str(), O_RDWR | O_CLOEXEC);
    if (lock < 0) return;
    EXPECT_EQ(::flock(lock, LOCK_EX), 0);
    ::close(lock);
  }

  cli::record::RunSummary Summary(const std::string& out) {
    cli::record::RunSummary summary;
    EXPECT_TRUE(
        google::protobuf::util::JsonStringToMessage(ReadText(Path(out) + "/summary.json"), &summary)
            .ok());
    return summary;
  }

  // Always the same run, but for what may differ: threads, and how often it is saved.
  Words RunStones(const std::string& out, const std::string& threads = "2",
                  const std::string& snapshot_every = "25") {
    return {"run",
            WriteScene(kStones),
            "--out",
            Path(out),
            "--seed",
            "7",
            "--steps",
            "400",
            "--quiet",
            "--contacts",
            "--snapshot-every",
            snapshot_every,
            "--threads",
            threads};
  }

  std::string folder_;
};

}  // namespace talus::testing
