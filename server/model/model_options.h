// How a model is to be put into a scene: where it stands, what holds it, and what becomes of what
// the solver does not know. Values as they came; model_import.h checks them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/base/math.h"

namespace talus::model {

// What holds the root of a model. The numbers are those of talus.v1.ModelBase.
enum class ModelBase : uint8_t {
  kByName = 0,  // fixed where the root link is called `world`, else free
  kFree = 1,
  kFixed = 2,
};

// What stands for a shape that the solver does not know. The numbers are those of
// talus.v1.ShapeStandIn.
enum class ShapeStandIn : uint8_t {
  kNone = 0,  // nothing: it is left out, and listed
  kBoundingBox = 1,
};

struct JointPosition {
  std::string joint;
  double position = 0.0;  // rad or m
};

struct ModelOptions {
  std::string name;  // of the model: its bodies are `name.link`; empty: `link`
  Pose pose_world;   // world <- root link
  ModelBase base = ModelBase::kByName;
  ShapeStandIn stand_in = ShapeStandIn::kNone;
  std::string material;                        // of every shape
  bool motors = false;                         // each moving joint gets one that holds it at rest
  bool strict = false;                         // what is unsupported is an error
  std::vector<JointPosition> joint_positions;  // where joints start; 0 where none is given
};

}  // namespace talus::model
