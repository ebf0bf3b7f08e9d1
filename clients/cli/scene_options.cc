#include "clients/cli/scene_options.h"

#include "clients/cli/context.h"

namespace talus::cli {

void AddSceneOptions(CLI::App& command, SceneOptions& options) {
  command.add_option("--seed", options.seed,
                     "Seed of the first emitter; the next gets seed + 1, and so on");
  command.add_option("--tolerance", options.tolerance,
                     "Residual the solver stops at [the scene's]");
  AddLawOptions(command, options.law);
}

std::string ApplySceneOptions(const SceneOptions& options, SceneFile& file) {
  if (options.seed) {
    file.ApplySeed(*options.seed);
    // Whoever runs a scene with many seeds would take the same result for many.
    if (file.spec.emitters().empty()) {
      Complain(kExitOk, "warning: --seed " + std::to_string(*options.seed) +
                            " changes nothing: " + file.path + " has no emitter");
    }
  }
  if (options.tolerance) file.ApplyTolerance(*options.tolerance);
  return ApplyLawOptions(options.law, file);
}

}  // namespace talus::cli
