// All scenes of the server by id: where they are made, found, listed, copied and deleted.
//
// The registry holds the names and the actors; what happens inside a scene is the actor's business.
// Building a World runs on the executor, never on the caller's thread. Thread-safe; no call here
// blocks except WaitUntilDrained.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/completion.h"
#include "server/runtime/scene_actor.h"
#include "server/session/limits.h"
#include "server/session/scene_table.h"
#include "solver/scene/scene_def.h"

namespace talus {

struct CreateSceneCall {
  std::string scene_id;                        // empty: the registry chooses one
  std::variant<SceneDef, std::string> source;  // a description, or the bytes of a snapshot
  std::string request_id;                      // not empty: a repeat gets the first answer
  std::string fingerprint;  // equal for equal requests only, as a digest of the encoded request
  bool scratch = false;     // not stored until SceneActor::Keep
  double idle_ttl_s = 0.0;  // evicted when not used for so long; 0: as the server does
  std::string client = {};  // who asks, for scenes_per_client; empty: nobody
};

struct ForkSceneCall {
  std::string scene_id;
  std::vector<std::string> fork_ids;  // 1 to 64; an empty one lets the registry choose
  std::string request_id;
  std::string client = {};  // who asks
};

struct ScenePage {
  std::vector<SceneInfo> scenes;  // sorted by id
  std::string next_page_token;    // empty: the last page
};

class SceneRegistry {
 public:
  // Everything passed by reference must outlive the registry.
  SceneRegistry(const Limits& limits, const SceneRuntime& runtime);
  ~SceneRegistry();

  // Called for each scene that nobody finds any more, before its name is free and before it ends;
  // answers when nothing will bring it back. Set before the first caller.
  using Forget = std::function<void(const std::string& scene_id, StatusCompletion done)>;
  void SetForget(Forget forget);

  // Called with the idle_ttl_s of each new scene that has one, once it is found. Without it none
  // may have one. Set before the first caller.
  using NoteIdleTtl = std::function<void(double idle_ttl_s)>;
  void SetNoteIdleTtl(NoteIdleTtl note);

  // INVALID_ARGUMENT (INVALID_FIELD, BAD_SNAPSHOT, REQUEST_ID_REUSED), ALREADY_EXISTS,
  // RESOURCE_EXHAUSTED, UNAVAILABLE (DRAINING); with an idle_ttl_s FAILED_PRECONDITION (STORAGE).
  void Create(CreateSceneCall call, Completion<CreateSceneAnswer> done);
  // A scene that is made already. INVALID_ARGUMENT, ALREADY_EXISTS, RESOURCE_EXHAUSTED,
  // UNAVAILABLE (DRAINING).
  absl::StatusOr<SceneInfo> Adopt(const std::string& scene_id, World world);
  // NOT_FOUND. The actor stays valid while the caller holds it, even when the scene is deleted
  // meanwhile.
  absl::StatusOr<std::shared_ptr<SceneActor>> Find(const std::string& scene_id) const;
  // All scenes, sorted by id.
  std::vector<std::shared_ptr<SceneActor>> FindAll() const;
  // INVALID_ARGUMENT when page_size is not in [0, 1000] (0: 100) or the token is not one of ours.
  absl::StatusOr<ScenePage> List(int64_t page_size, const std::string& page_token) const;
  // The name is free on return; calls that wait on the scene end with ABORTED, then `done` runs.
  // NOT_FOUND, UNAVAILABLE (STORAGE): the scene is gone, but its stored state could not be removed
  // and would come back when the server starts again.
  void Delete(const std::string& scene_id, StatusCompletion done);
  // That one and no other: NOT_FOUND when its name is free or another scene's by now.
  void Delete(const std::shared_ptr<SceneActor>& scene, StatusCompletion done);
  // All or none. The infos come in the order of fork_ids; forks have the idle_ttl_s of their scene.
  void Fork(ForkSceneCall call, const CallControlPtr& control, Completion<SceneInfos> done);
  // Puts a scene back to the state in `snapshot`: DATA_LOSS (BAD_SNAPSHOT) when the bytes are not
  // one; ABORTED (SCENE_DELETED) when it is gone; RESOURCE_EXHAUSTED.
  void Restore(const std::shared_ptr<SceneActor>& scene, std::string snapshot,
               const CallControlPtr& control, Completion<SceneInfo> done);

  // From now on refuses new work with UNAVAILABLE / DRAINING, ends running calls at their next step
  // boundary and ends all streams. Idempotent.
  void BeginDrain();
  // Of a drain that can wait no longer: the steps under way are given up, to the states before
  // them.
  void GiveUpSteps();
  // True once nothing runs or waits any more; false when that took longer than `patience`.
  bool WaitUntilDrained(std::chrono::milliseconds patience);

  int64_t scene_count() const;
  // Of all scenes, each as it is when its turn comes.
  SceneLoad load() const;

 private:
  const Limits limits_;
  const SceneRuntime runtime_;
  Forget forget_ = [](const std::string&, const StatusCompletion& done) { done(absl::OkStatus()); };
  NoteIdleTtl note_idle_ttl_;          // empty: scenes cannot be evicted
  std::shared_ptr<SceneTable> table_;  // which calls under way hold, too
};

}  // namespace talus
