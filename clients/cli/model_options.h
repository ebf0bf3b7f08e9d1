// How a robot is to stand in a scene, of each command that takes a URDF file.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "talus/v1/model.pb.h"

namespace talus::cli {

struct ModelOptions {
  v1::ModelOptions message = {};
  v1::ModelBase base = v1::MODEL_BASE_UNSPECIFIED;
  v1::ShapeStandIn stand_in = v1::SHAPE_STAND_IN_UNSPECIFIED;
  std::vector<double> position = {};     // x, y, z; empty: not given
  std::vector<double> orientation = {};  // w, x, y, z; likewise
  std::vector<std::string> joints = {};  // NAME=POSITION

  // Without something that stands for them they are left out.
  bool needs_meshes() const { return stand_in != v1::SHAPE_STAND_IN_UNSPECIFIED; }
};

// Returns all of them.
std::vector<CLI::Option*> AddModelOptions(CLI::App& command, ModelOptions& options);

// Brings what was given into the message. What is wrong, or nothing.
std::string CompleteModelOptions(ModelOptions& options);

}  // namespace talus::cli
