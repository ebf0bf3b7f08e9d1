#include "tests/bench/bench_state.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "tests/bench/bench_world.h"
#include "tests/bench/state_recipe.h"

namespace talus::bench {
namespace {

// Raise it when a recipe changes: states of an older version are made again.
constexpr int kStateVersion = 3;

std::string FormatCount(int64_t count) {
  if (count % 1'000'000 == 0) return std::to_string(count / 1'000'000) + "m";
  return count % 1000 == 0 ? std::to_string(count / 1000) + "k" : std::to_string(count);
}

const char* KindName(StateKind kind) {
  switch (kind) {
    case StateKind::kPileRest:
      return "pile-rest";
    case StateKind::kPileFlow:
      return "pile-flow";
    case StateKind::kPileCollapse:
      return "pile-collapse";
    case StateKind::kBox:
      return "box";
    case StateKind::kDrum:
      return "drum";
    case StateKind::kWall:
      return "wall";
    case StateKind::kSceneRest:
      return "scene-rest";
    case StateKind::kLattice:
      return "lattice";
    case StateKind::kSceneCollapse:
      break;
  }
  return "scene-collapse";
}

std::string StateFile(const StateKey& key, const StateStore& store) {
  return store.folder + "/" + KindName(key.kind) + "-" + std::to_string(key.bodies) + "-" +
         LawName(key.law) + "-seed" + std::to_string(key.seed) + "-v" +
         std::to_string(kStateVersion) + ".state";
}

// The hash, a line, the snapshot. The snapshot has a seal of its own against damage; the hash says
// that it still means the same to this solver.
std::optional<std::string> ReadState(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string hash;
  if (!file || !std::getline(file, hash)) return std::nullopt;
  std::string snapshot{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const absl::StatusOr<World> world = World::Restore(snapshot);
  if (!world.ok() || FormatHash(world->state_hash()) != hash) {
    std::fprintf(stderr, "bench: %s is of another version or damaged: making it again\n",
                 path.c_str());
    return std::nullopt;
  }
  return snapshot;
}

void WriteState(const std::string& path, const World& world, const std::string& snapshot) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  // Under another name first: a run that is interrupted leaves no half state behind.
  const std::string partial = path + ".partial";
  std::ofstream file(partial, std::ios::binary);
  file << FormatHash(world.state_hash()) << "\n" << snapshot;
  file.close();
  if (file) std::filesystem::rename(partial, path, error);
  if (!file || error) Fail("cannot write " + path + ": --states FOLDER chooses another place");
}

}  // namespace

std::string StateName(const StateKey& key) {
  std::string name =
      std::string(KindName(key.kind)) + "-" + FormatCount(key.bodies) + "-" + LawName(key.law);
  if (key.seed != 1) name += "-seed" + std::to_string(key.seed);
  return name;
}

std::string LoadState(const StateKey& key, const StateStore& store) {
  const std::string path = StateFile(key, store);
  if (!store.fresh) {
    if (std::optional<std::string> snapshot = ReadState(path)) return *std::move(snapshot);
  }
  const World world = MakeState(key);
  std::string snapshot = world.SaveSnapshot();
  WriteState(path, world, snapshot);
  return snapshot;
}

}  // namespace talus::bench
