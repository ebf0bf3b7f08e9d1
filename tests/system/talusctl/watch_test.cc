// `talusctl watch` against a real server: lines for people, JSON for programs, a file for later.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
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
  // Under LATEST the frame of the step might take the place of the first one.
  TalusctlProcess watch({"watch", "disk", "--every", "10", "--frames", "2", "--contacts", "--json",
                         "--policy", "buffer", "--server", server_->address()});
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

TEST_F(TalusctlWatch, ChoosesBodiesAndHowNumbersTravel) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  const auto exact = RunForJson<v1::WatchStateResponse>({"watch", "disk", "--frames", "1"});
  for (const std::string profile : {"f32", "quantized"}) {
    const auto response = RunForJson<v1::WatchStateResponse>(
        {"watch", "disk", "--frames", "1", "--profile", profile, "--body", "disk", "--policy",
         "buffer", "--queue", "3"});
    EXPECT_EQ(response.frame().selected_rows().rows_size(), 1) << profile;
    ASSERT_EQ(response.frame().bodies().positions_world_m_size(), 3) << profile;
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(response.frame().bodies().positions_world_m(axis),
                  exact.frame().bodies().positions_world_m(3 + axis), 0.5e-4)
          << profile;
    }
  }
  EXPECT_EQ(Run({"watch", "disk", "--frames", "1", "--body", "nobody"}).exit_code, 15);
  EXPECT_EQ(Run({"watch", "disk", "--frames", "1", "--queue", "2"}).exit_code, 13);
  EXPECT_EQ(Run({"watch", "disk", "--frames", "1", "--policy", "hold"}).exit_code, 2);
}

TEST_F(TalusctlWatch, TellsEventsUntilItHasEnough) {
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  TalusctlProcess events(
      {"events", "disk", "--kind", "bodies-added", "--count", "1", "--server", server_->address()});
  // When it begins to watch cannot be seen from outside, so bodies come until it has seen one.
  client::Client client(server_->address());
  int added = 0;
  EXPECT_TRUE(WaitUntil([&] {
    v1::AddBodiesRequest request;
    request.set_scene("scenes/disk");
    v1::BodySpec& body = *request.add_bodies();
    body.set_mass_kg(1.0);
    body.mutable_position_world_m()->set_x(1000.0 + added++);
    body.add_shapes()->mutable_sphere()->set_radius_m(0.1);
    EXPECT_TRUE(client.AddBodies(request));
    return !events.Running();
  }));
  const TalusctlResult ended = events.Wait();
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("step 0  watching\nstep 0  bodies-added  "));
  EXPECT_EQ(Run({"events", "disk", "--kind", "thunder"}).exit_code, 2);
  EXPECT_EQ(Run({"events", "nowhere"}).exit_code, 15);
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

TEST_F(TalusctlWatch, LeavesTheFileAloneWhereThereIsNoScene) {
  const std::string file = folder_ + "/kept";
  std::ofstream(file) << "of another watch";
  EXPECT_EQ(Run({"watch", "nowhere", "--out", file}).exit_code, 15);
  EXPECT_EQ(std::filesystem::file_size(file), 16u);
  ASSERT_EQ(Run({"create", "rolling_disk", "--id", "disk"}).exit_code, 0);
  EXPECT_EQ(Run({"watch", "disk", "--frames", "1", "--out", file}).exit_code, 0);
  auto frames = client::FrameReader::Open(file);
  v1::Frame frame;
  ASSERT_TRUE(frames && frames->Read(&frame));
  EXPECT_FALSE(frames->Read(&frame));
  EXPECT_FALSE(frames->torn());
  EXPECT_EQ(Run({"watch", "disk", "--frames", "1", "--out", "/dev/null"}).exit_code, 0);
}

}  // namespace
}  // namespace talus::testing
