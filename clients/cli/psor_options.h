// The options that say how PSOR iterates: `--psor-relaxation`, `--psor-averaging` and
// `--psor-simultaneous`, of each command that may be solved by it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "talus/v1/step_settings.pb.h"

namespace talus::cli {

struct PsorOptions {
  std::optional<double> relaxation = {};
  std::optional<double> averaging = {};
  bool simultaneous = false;

  bool given() const { return relaxation || averaging || simultaneous; }
};

// `solvers`: whose first two they are (the third is PSOR's alone), and `unset`: what they are where
// they are left out, both as the help says it.
void AddPsorOptions(CLI::App& command, PsorOptions& options, const std::string& solvers,
                    const std::string& unset);

// Sets what is given.
void ApplyPsorOptions(const PsorOptions& options, v1::PsorSettings& settings);

}  // namespace talus::cli
