// One run: clients on threads against a server, then the check that nobody was harmed.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "tests/system/chaos/alarm_clock.h"
#include "tests/system/chaos/call_tally.h"
#include "tests/system/chaos/chaos_options.h"
#include "tests/system/chaos/disturber.h"
#include "tests/system/chaos/memory_curve.h"
#include "tests/system/chaos/owner.h"

namespace talus::chaos {

class ChaosRun {
 public:
  ChaosRun(const ChaosOptions& options, std::string address);

  // Everything but the check.
  void Disturb();
  // Every owned scene is where its owner left it, and where its inputs lead without anybody else;
  // then deletes all scenes.
  void Check();
  // Tells what came of it; true: nothing was harmed.
  bool Report();

 private:
  void Own(int number);
  void Harass(int number);
  void Supervise();
  void CheckScenes(std::atomic<int>& next);
  void DeleteScenes();
  void JudgeGrowth(const std::string& what, const MemoryCurve& curve);
  v1::GetServerInfoResponse AskServer();

  const ChaosOptions options_;
  const std::string address_;
  const Stage stage_;
  AlarmClock alarms_;
  CallTally tally_;
  std::vector<std::unique_ptr<Caller>> callers_;  // by client
  std::vector<std::unique_ptr<Owner>> owners_;
  std::atomic<bool> ending_ = false;
  std::atomic<int> at_work_ = 0;
  std::unique_ptr<Caller> inspector_;
  MemoryCurve memory_;  // resident
  MemoryCurve heap_;
  size_t inputs_checked_ = 0;
};

}  // namespace talus::chaos
