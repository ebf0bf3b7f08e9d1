#include "clients/cli/scene_line.h"

#include <cstdio>

#include "clients/cli/context.h"

namespace talus::cli {

void PrintScene(const v1::SceneInfo& scene) {
  std::printf(
      "%-28s step %lld  time %.6g s  bodies %lld  emitters %lld  pending %lld  hash %s%s%s%s\n",
      scene.scene().c_str(), static_cast<long long>(scene.step_index()), scene.time_s(),
      static_cast<long long>(scene.body_count()), static_cast<long long>(scene.emitter_count()),
      static_cast<long long>(scene.particles_pending()), HexHash(scene.state_hash()).c_str(),
      scene.evicted() ? "  evicted" : "",
      scene.fault().empty() ? "" : "  FAULTED: ", scene.fault().c_str());
}

}  // namespace talus::cli
