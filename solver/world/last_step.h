// What a World tells of its last step and a snapshot leaves out, so that a scene whose memory was
// let go for a while is told of as before.
#pragma once

#include <memory>
#include <string>

#include "solver/world/step_report.h"

namespace talus {

struct StepProblem;

struct LastStep {
  StepReport report;
  std::shared_ptr<const StepProblem> problem;  // null: none was kept
  std::string contacts;                        // bytes for the same program
};

}  // namespace talus
