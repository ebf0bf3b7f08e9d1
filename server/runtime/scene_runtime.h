// What a scene actor needs of the server around it. The references outlive every actor.
#pragma once

#include <chrono>

#include "absl/status/status.h"
#include "server/runtime/awake_cores.h"
#include "server/runtime/clock.h"
#include "server/runtime/core_budget.h"
#include "server/runtime/executor.h"
#include "server/runtime/step_statistics.h"
#include "server/session/limits.h"
#include "server/session/memory_quota.h"

namespace talus {

struct SceneRuntime {
  Executor& executor;
  CoreBudget& budget;
  Clock& clock;
  Limits limits;
  Clock::Duration quantum = std::chrono::milliseconds(5);
  StepStatistics* statistics = nullptr;  // null: steps are not counted
  AwakeCores* awake_cores = nullptr;     // null: cores may fall asleep after each step
  MemoryQuota* memory = nullptr;         // null: memory is not looked at

  // Before anything is made or added: RESOURCE_EXHAUSTED (memory_bytes).
  absl::Status AdmitMemory() const {
    return memory == nullptr ? absl::OkStatus() : memory->Admit();
  }
};

}  // namespace talus
