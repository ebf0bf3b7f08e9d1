// Scenes have the same bits through the C++ client whatever the number of threads: the gravel pile,
// the same as in the library too, and a heap large enough for the threads to share every loop.
// tests/integration/python does the first for the Python client.
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "solver/contact/block_layout.h"
#include "solver/parallel/worker_arena.h"
#include "solver/world/world.h"
#include "tests/integration/cpp/live_server.h"
#include "tests/scenes/piles.h"

namespace talus::client::testing {
namespace {

constexpr int64_t kParticles = 100;
constexpr uint64_t kSeed = 7;
constexpr int64_t kSameSteps = 130;

uint64_t HashOfTheLibrary() {
  scenes::GravelPileOptions options;
  options.particles = kParticles;
  options.seed = kSeed;
  absl::StatusOr<World> world = World::Create(scenes::GravelPile(options));
  EXPECT_TRUE(world.ok()) << world.status();
  WorkerArena workers(1);
  for (int64_t step = 0; step < kSameSteps; ++step) EXPECT_TRUE(world->Step(workers).ok());
  return world->state_hash();
}

v1::SceneSpec GravelPileSpec() {
  std::ifstream file(TALUS_SCENE_FOLDER "/gravel_pile.json");
  std::stringstream text;
  text << file.rdbuf();
  v1::SceneSpec spec;
  const auto parsed = google::protobuf::util::JsonStringToMessage(text.str(), &spec);
  EXPECT_TRUE(parsed.ok()) << parsed.ToString();
  spec.mutable_emitters(0)->set_particle_count(kParticles);
  spec.mutable_emitters(0)->set_seed(kSeed);
  return spec;
}

class SameBits : public LiveServerTest, public ::testing::WithParamInterface<int> {};

TEST_P(SameBits, ThroughTheClientAndInTheLibrary) {
  const std::string threads = std::to_string(GetParam());
  StartServer({"--workers", threads, "--workers-per-scene", threads});
  Scene pile = Create("pile", GravelPileSpec());
  const auto stepped = pile.Step(kSameSteps);
  ASSERT_TRUE(stepped) << stepped.error().ToString();
  EXPECT_EQ(Hash(pile), HashOfTheLibrary());
}

INSTANTIATE_TEST_SUITE_P(Threads, SameBits, ::testing::Values(1, 2, 3, 7));

// The pile above fits into one strand and one chunk of any loop, so that one thread does it all.
// Here threads share the sweeps, and every step is compared.
class SameBitsShared : public LiveServerTest {
 protected:
  static constexpr int kSharedSteps = 10;

  // Hashes after each step.
  std::vector<uint64_t> StepBox(int threads) {
    const std::string count = std::to_string(threads);
    StartServer({"--workers", count, "--workers-per-scene", count});
    v1::SceneSpec spec = PackedBox(13);
    // Enough sweeps for every thread to take part; what they reach does not matter here.
    spec.mutable_settings()->mutable_solver()->set_max_sweeps(20);
    Scene box = Create("box", spec);
    StepOptions options;
    options.selection.set_report(true);
    std::vector<uint64_t> hashes;
    for (int step = 0; step < kSharedSteps; ++step) {
      const auto stepped = box.Step(1, options);
      EXPECT_TRUE(stepped) << stepped.error().ToString();
      if (!stepped) break;
      const v1::StepReport& report = stepped->frame().report();
      EXPECT_GT(report.contact_count(), 3000);
      EXPECT_GT(report.strand_count(), 3);
      hashes.push_back(report.state_hash());
    }
    EXPECT_EQ(StopServer(), 0);
    return hashes;
  }
};

TEST_F(SameBitsShared, WhenThreadsShareTheSweeps) {
  const std::vector<uint64_t> alone = StepBox(1);
  ASSERT_EQ(alone.size(), static_cast<size_t>(kSharedSteps));
  for (const int threads : {2, 3, 7}) EXPECT_EQ(StepBox(threads), alone) << threads << " threads";
}

}  // namespace
}  // namespace talus::client::testing
