// The client that gets in everybody's way. With scenes that have an owner it does what must not
// change them: reads, watches without reading, forks, stores, records, takes the lease and does
// nothing with it, asks for steps that must be refused. With wild scenes, which belong to nobody,
// it does everything.
#pragma once

#include <string>

#include "tests/system/chaos/caller.h"
#include "tests/system/chaos/dice.h"

namespace talus::chaos {

// The scenes: own-0 and so on, wild-0 and so on.
struct Stage {
  int owned = 0;
  int wild = 0;
};

class Disturber {
 public:
  Disturber(Caller& caller, const Stage& stage, int number)
      : caller_(caller), stage_(stage), number_(number) {}

  // Turn k; the first turns of many disturbers together go through all that there is.
  void TakeTurn(Dice& dice, int64_t turn);
  // Changes a scene that has an owner, which nobody may.
  void DoHarm(Dice& dice);

 private:
  // Of any scene, and harmless to it.
  void Query(Dice& dice);
  void CastRays(const std::string& scene, Dice& dice);
  void ListAll(Dice& dice);
  void WatchState(Dice& dice);
  void WatchEvents(Dice& dice);
  void DownloadSnapshot(Dice& dice);
  void UploadSnapshot(Dice& dice);
  void StoreAndForget(Dice& dice);
  void Fork(Dice& dice);
  void Record(Dice& dice);
  void HoldLease(Dice& dice);
  void AskInVain(Dice& dice);
  void Analyze(Dice& dice);
  void SolveStepProblem(Dice& dice);
  // What no server should have to read.
  void SendBadFields(Dice& dice);
  void SendNonsense(Dice& dice);
  void SendRawBytes(Dice& dice);
  // Of wild scenes.
  void Make(Dice& dice);
  void Delete(Dice& dice);
  void Step(Dice& dice);
  void StepMany(Dice& dice);
  void RunPauseReset(Dice& dice);
  void Control(Dice& dice);
  void ChangeBodies(Dice& dice);
  void ImportRobot(Dice& dice);
  void ChangeEmittersAndJoints(Dice& dice);
  void Restore(Dice& dice);

  std::string DrawWild(Dice& dice) const;
  std::string DrawAny(Dice& dice) const;
  std::string NameOwn(const char* kind, Dice& dice) const;
  // Deletes what this client made.
  void DeleteSnapshot(const std::string& id);
  void DeleteScene(const std::string& id);
  // Calls that must fail and change nothing.
  void MustFail(const char* rpc, const grpc::Status& status);

  Caller& caller_;
  const Stage stage_;
  const int number_;
  std::string kept_data_;  // a snapshot as bytes
};

}  // namespace talus::chaos
