// The gravel pile has the same bits in the library and through the C++ client, whatever the number
// of threads. tests/integration/python does the same for the Python client.
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "solver/parallel/worker_arena.h"
#include "solver/world/world.h"
#include "tests/integration/cpp/live_server.h"
#include "tests/scenes/piles.h"

namespace talus::client::testing {
namespace {

constexpr int64_t kParticles = 100;
constexpr uint64_t kSeed = 7;
constexpr int64_t kSteps = 130;

uint64_t HashOfTheLibrary() {
  scenes::GravelPileOptions options;
  options.particles = kParticles;
  options.seed = kSeed;
  absl::StatusOr<World> world = World::Create(scenes::GravelPile(options));
  EXPECT_TRUE(world.ok()) << world.status();
  WorkerArena workers(1);
  for (int64_t step = 0; step < kSteps; ++step) EXPECT_TRUE(world->Step(workers).ok());
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
  const auto stepped = pile.Step(kSteps);
  ASSERT_TRUE(stepped) << stepped.error().ToString();
  EXPECT_EQ(Hash(pile), HashOfTheLibrary());
}

INSTANTIATE_TEST_SUITE_P(Threads, SameBits, ::testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace talus::client::testing
