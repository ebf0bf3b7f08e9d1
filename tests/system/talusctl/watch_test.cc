// `talusctl watch` against a real server: lines for people, JSON for programs, a file for later.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <sstream>

#include "clients/cpp/client.h"
#include "clients/cpp/frame_file.h"
#include "tests/support/wait_until.h"
#include "tests/system/talusctl/talusctl_process.h"
#include "tests/system/talusctl/talusctl_server.h"

namespace talus::testing {
namespace {

using ::testing::StartsWith;

class TalusctlWatch : public TalusctlServerTest {
 protected:
  // Waits until somebody watches the scene.
  void AwaitWatcher(const std::string& scene) {
    client::Client client(server_->address());
    v1::GetDiagnosticsRequest request;
    request.set_scene(scene);
    EXPECT_TRUE(WaitUntil([&] {
      auto answer = client.GetDiagnostics(request);
      EXPECT_TRUE(answer) << answer.error().ToString();
      return !answer || answer->watcher_count() > 0;
    })) << "nobody watches "
        << scene;
  }
};

TEST_F(TalusctlWatch, EndsWhenItHasEnoughOrIsInterrupted) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  const TalusctlResult one = Run({"watch", "disk", "--frames", "1"});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.out, StartsWith("step 0 "));
  const std::string file = folder_ + "/watched.binpb";
  TalusctlProcess watch(
      {"watch", "disk", "--every", "10", "--out", file, "--server", server_->address()});
  ASSERT_TRUE(WaitUntil(
      [&] { return std::filesystem::exists(file) && std::filesystem::file_size(file) > 0; }));
  const auto before = std::filesystem::file_size(file);
  ASSERT_EQ(Run({"step", "disk", "10"}).exit_code, 0);
  EXPECT_TRUE(WaitUntil([&] { return std::filesystem::file_size(file) > before; }));
  watch.Signal(SIGINT);
  EXPECT_EQ(watch.Wait().exit_code, 0);
  auto frames = client::FrameReader::Open(file);
  v1::Frame frame;
  ASSERT_TRUE(frames && frames->Read(&frame));
  EXPECT_TRUE(frame.has_layout());
  ASSERT_TRUE(frames->Read(&frame));
  EXPECT_EQ(frame.step_index(), 10);
}

TEST_F(TalusctlWatch, PrintsAJsonValueALine) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  TalusctlProcess watch({"watch", "disk", "--every", "10", "--frames", "2", "--contacts", "--json",
                         "--server", server_->address()});
  AwaitWatcher("scenes/disk");
  const auto step = RunForJson<v1::StepResponse>({"step", "disk", "10"});
  const TalusctlResult ended = watch.Wait();
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  std::vector<v1::WatchStateResponse> frames;
  std::istringstream lines(ended.out);
  for (std::string line; std::getline(lines, line);) {
    frames.push_back(Parse<v1::WatchStateResponse>(line));
  }
  ASSERT_EQ(frames.size(), 2u) << ended.out;
  const v1::Frame& first = frames[0].frame();
  EXPECT_EQ(first.step_index(), 0);
  EXPECT_EQ(first.layout().body_names(1), "disk");
  EXPECT_EQ(first.bodies().positions_world_m_size(), 6);
  EXPECT_EQ(first.contacts().modes_size(), 0) << "no step has found any yet";
  const v1::Frame& second = frames[1].frame();
  EXPECT_EQ(frames[1].dropped_since_last(), 0);
  EXPECT_EQ(second.step_index(), 10);
  EXPECT_FALSE(second.has_layout());
  EXPECT_EQ(second.state_hash(), step.frame().state_hash());
  EXPECT_EQ(second.bodies().orientations_wxyz_size(), 8);
  EXPECT_EQ(second.bodies().linear_velocities_world_m_s_size(), 6);
  EXPECT_GT(second.bodies().positions_world_m(3), first.bodies().positions_world_m(3));
  EXPECT_EQ(second.contacts().modes_size(), 1);
  EXPECT_EQ(second.report().step_index(), 10);
}

TEST_F(TalusctlWatch, LeavesContactsOutOfJsonUnlessAsked) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  ASSERT_EQ(Run({"step", "disk", "10"}).exit_code, 0);
  const std::vector<std::string> words{"watch", "disk", "--frames", "1"};
  const auto response = RunForJson<v1::WatchStateResponse>(words);
  EXPECT_EQ(response.frame().bodies().positions_world_m_size(), 6);
  EXPECT_FALSE(response.frame().has_contacts());
  const TalusctlResult nowhere = Run({"watch", "nowhere", "--json"});
  EXPECT_EQ(nowhere.exit_code, 15);
  EXPECT_EQ(nowhere.out, "");
}

}  // namespace
}  // namespace talus::testing
