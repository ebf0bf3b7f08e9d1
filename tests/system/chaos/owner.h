// The client that a scene belongs to: the only one who changes it. It steps in every way there is,
// gives up calls in the middle, loses its lease to others and takes it back, and keeps a log of
// what was done to the scene, such that the log alone leads to the same state.
//
// How the log stays certain: a call that is given up makes steps and nothing else, and names the
// step index it begins at. Afterwards the owner asks where the scene is and makes one more step
// from there; from then on a call that is still on its way comes too late to do anything.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/system/chaos/caller.h"
#include "tests/system/chaos/dice.h"
#include "tests/system/chaos/input_log.h"

namespace talus::chaos {

class Owner {
 public:
  Owner(Caller& caller, std::string id, Dice& dice);

  // False: the scene could not be made.
  bool Create();
  void TakeTurn(Dice& dice);
  // Ends recordings; the scene stands still from then on.
  void Finish();
  const InputLog& log() const { return log_; }
  const std::string& id() const { return id_; }
  // False: something was wrong, was told, and the log is no use any more.
  bool sound() const { return sound_; }

 private:
  // How a scene changes.
  void StepAndGiveUp(Dice& dice);
  void StepDriven(Dice& dice);
  void StepTwice(Dice& dice);
  void RunForAWhile(Dice& dice);
  void ControlLocked(Dice& dice);
  void ControlRealTime(Dice& dice);
  void ChangeBodies(Dice& dice);
  void MoveBodies(Dice& dice);
  void ChangeEmitters(Dice& dice);
  void ChangeJoints(Dice& dice);
  void Reset(Dice& dice);
  void MarkOrRestore(Dice& dice);
  void Record(Dice& dice);
  void StopRecording();

  v1::ControlRequest MakeOpening(bool driven) const;
  // `told`: how many of its steps were made, as an error says; negative: nothing was said.
  void FinishBroken(const v1::StepRequest& unanswered, int64_t told);

  // Repeats a change until it is made, taking the lease back where somebody has it. False: it
  // cannot be made, which was told, unless its code is `accepted`.
  bool Insist(const char* what, const std::function<grpc::Status()>& call,
              grpc::StatusCode accepted = grpc::StatusCode::OK);
  // Logs a change that makes no steps.
  void LogChange(Input input);
  void TakeLeaseBack();
  // Where the scene is once all that was asked before is done or has failed.
  v1::SceneInfo FindStandstill();
  // Logs the steps of calls that were given up, and makes sure that none come after.
  void Settle();
  // Nothing of a connection that was cut is on its way any more.
  void WaitAfterCut();
  void Log(Input input);
  void Blame(const std::string& what);

  Caller& caller_;
  const std::string id_;
  const std::string scene_;
  InputLog log_;
  bool sound_ = true;
  int64_t step_index_ = 0;
  uint64_t state_hash_ = 0;
  int64_t next_name_ = 0;
  std::vector<std::string> bodies_;    // added and still there
  std::vector<std::string> emitters_;  // likewise
  bool linked_ = false;                // by the joint that was added
  std::string mark_;                   // snapshot, and what was there then
  std::vector<std::string> marked_bodies_;
  std::vector<std::string> marked_emitters_;
  bool marked_linked_ = false;
  std::string recording_;
  std::chrono::steady_clock::time_point last_cut_{};
};

}  // namespace talus::chaos
