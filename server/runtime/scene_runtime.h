// What a scene actor needs of the server around it. The references outlive every actor.
#pragma once

#include <chrono>

#include "server/runtime/awake_cores.h"
#include "server/runtime/clock.h"
#include "server/runtime/core_budget.h"
#include "server/runtime/executor.h"
#include "server/runtime/step_statistics.h"
#include "server/session/limits.h"

namespace talus {

struct SceneRuntime {
  Executor& executor;
  CoreBudget& budget;
  Clock& clock;
  Limits limits;
  Clock::Duration quantum = std::chrono::milliseconds(5);
  StepStatistics* statistics = nullptr;  // null: steps are not counted
  AwakeCores* awake_cores = nullptr;     // null: cores may fall asleep after each step
};

}  // namespace talus
