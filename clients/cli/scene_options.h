// The options that change a scene file before it is made: `--seed`, `--tolerance` and those of
// law_options.h, of each command that takes one.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/law_options.h"
#include "clients/cli/scene_file.h"

namespace talus::cli {

struct SceneOptions {
  std::optional<uint64_t> seed = {};
  std::optional<double> tolerance = {};
  LawOptions law = {};
};

void AddSceneOptions(CLI::App& command, SceneOptions& options);

// What is wrong, or nothing. A seed that changes nothing is warned of on standard error.
std::string ApplySceneOptions(const SceneOptions& options, SceneFile& file);

}  // namespace talus::cli
