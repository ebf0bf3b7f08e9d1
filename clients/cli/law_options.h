// The options that change the law of a scene and who solves it: `--law`, `--solver`, `--facets` and
// those of PSOR, of each command that takes a scene file.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "clients/cli/psor_options.h"
#include "clients/cli/scene_file.h"
#include "talus/v1/step_settings.pb.h"

namespace talus::cli {

struct LawOptions {
  v1::ContactLaw law = v1::CONTACT_LAW_UNSPECIFIED;           // the scene's
  v1::ContactSolver solver = v1::CONTACT_SOLVER_UNSPECIFIED;  // the law's default, if one is given
  std::optional<int> facets = {};                             // of polygonal
  PsorOptions psor = {};                                      // of psor
};

void AddLawOptions(CLI::App& command, LawOptions& options);

// What is wrong, or nothing. Whether law, solver and facets go together is the server's to say, but
// that of facets no other law asks.
std::string ApplyLawOptions(const LawOptions& options, SceneFile& file);

}  // namespace talus::cli
