// What the registry knows of its scenes, under one lock: who has which name, what a repeat of a
// request is answered, and how much is still under way.
//
// Requests that make scenes go through it in three steps: Begin reserves their names, Place puts
// the worlds under them, and their answer is settled; Fail takes back what Begin did. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/runtime/completion.h"
#include "server/runtime/scene_actor.h"
#include "server/session/answer_memory.h"
#include "server/session/error.h"
#include "server/session/limits.h"
#include "server/session/scene_names.h"
#include "solver/base/mutex.h"

namespace talus {

using SceneInfos = std::vector<SceneInfo>;  // what ForkScene answers

struct CreateSceneAnswer {
  SceneInfo info;
  std::shared_ptr<const Layout> layout;
};

// How a request begins that may carry a request_id: a repeat joins the first one's answer, a first
// one has its names reserved.
template <typename T>
struct RequestBeginning {
  absl::Status refusal;
  std::shared_ptr<SharedAnswer<T>> earlier;
  std::shared_ptr<SharedAnswer<T>> answer;
  std::vector<std::string> ids;

  // Joins, refuses, or makes `done` the first waiter. True: the request is to be carried out.
  bool Follow(const CallControlPtr& control, Completion<T> done) const {
    if (!refusal.ok()) {
      done(refusal);
      return false;
    }
    const bool repeat = earlier != nullptr;
    (repeat ? earlier : answer)->Join({control, std::move(done)});
    return !repeat;
  }
};

class SceneTable {
 public:
  // `runtime` is what the actors get; its references must outlive the table.
  SceneTable(const Limits& limits, const SceneRuntime& runtime)
      : runtime_(runtime), names_(limits.scenes, limits.scenes_per_client) {}

  // T: CreateSceneAnswer or SceneInfos, which are remembered apart. `room`: whether there is any,
  // which a repeat does not need; `field` names the ids in errors, `client` is who asks.
  template <typename T>
  RequestBeginning<T> Begin(const std::string& request_id, const std::string& fingerprint,
                            const std::vector<std::string>& ids, const std::string& field,
                            const std::string& client, const absl::Status& room);
  // The request failed and changed nothing, so that its repeat may succeed.
  template <typename T>
  void Fail(const std::shared_ptr<SharedAnswer<T>>& answer, const absl::Status& status);

  // Of a scene that nobody's request makes. ALREADY_EXISTS, RESOURCE_EXHAUSTED.
  absl::Status Reserve(const std::string& id);
  // Makes actors of the worlds under their reserved names; all or none. UNAVAILABLE (DRAINING): the
  // names are free again.
  absl::StatusOr<SceneInfos> Place(const std::vector<std::string>& ids, std::vector<World> worlds,
                                   const SceneTerms& terms = {});
  // Gives up reserved names.
  void Release(const std::vector<std::string>& ids);
  // Of a scene that is to be deleted only the reserved name is left; its end is pending. False: it
  // has none.
  bool Withhold(const std::shared_ptr<SceneActor>& scene);

  // Null when there is none.
  std::shared_ptr<SceneActor> Find(const std::string& id) const;
  std::vector<std::shared_ptr<SceneActor>> FindAll() const;  // sorted by id
  int64_t count() const;

  // A request that Begin let through, or the end of a scene, is over.
  void EndPending();
  // From now on nothing begins and nothing is placed. The scenes there are, whose ends are pending
  // now; empty from the second time on.
  std::vector<std::shared_ptr<SceneActor>> BeginDrain();
  // False when something was still pending after `patience`.
  bool WaitUntilNothingPends(std::chrono::milliseconds patience);

 private:
  // Answers kept for repeats of CreateScene and of ForkScene.
  static constexpr size_t kRememberedAnswers = 64;

  template <typename T>
  AnswerMemory<T>& Answers() TALUS_REQUIRES(mutex_) {
    if constexpr (std::is_same_v<T, CreateSceneAnswer>) {
      return created_;
    } else {
      return forked_;
    }
  }

  const SceneRuntime runtime_;
  mutable Mutex mutex_;
  CondVar changed_;
  SceneNames names_ TALUS_GUARDED_BY(mutex_);
  AnswerMemory<CreateSceneAnswer> created_ TALUS_GUARDED_BY(mutex_){kRememberedAnswers};
  AnswerMemory<SceneInfos> forked_ TALUS_GUARDED_BY(mutex_){kRememberedAnswers};
  bool draining_ TALUS_GUARDED_BY(mutex_) = false;
  int64_t pending_ TALUS_GUARDED_BY(mutex_) = 0;  // requests under way and scenes that are ending
};

template <typename T>
RequestBeginning<T> SceneTable::Begin(const std::string& request_id, const std::string& fingerprint,
                                      const std::vector<std::string>& ids, const std::string& field,
                                      const std::string& client, const absl::Status& room) {
  MutexLock lock(mutex_);
  RequestBeginning<T> beginning;
  if (!request_id.empty()) {
    auto found = Answers<T>().Find(request_id, fingerprint);
    beginning.refusal = found.status();
    if (!found.ok()) return beginning;
    beginning.earlier = *std::move(found);
    if (beginning.earlier != nullptr) return beginning;
  }
  beginning.refusal = draining_ ? DrainingError() : room;
  if (!beginning.refusal.ok()) return beginning;
  auto reserved = names_.Reserve(ids, field, client);
  beginning.refusal = reserved.status();
  if (!reserved.ok()) return beginning;
  beginning.ids = *std::move(reserved);
  beginning.answer = std::make_shared<SharedAnswer<T>>();
  if (!request_id.empty()) Answers<T>().Add(request_id, fingerprint, beginning.answer);
  ++pending_;
  return beginning;
}

template <typename T>
void SceneTable::Fail(const std::shared_ptr<SharedAnswer<T>>& answer, const absl::Status& status) {
  {
    MutexLock lock(mutex_);
    Answers<T>().Forget(answer);
  }
  answer->Settle(status);
  EndPending();
}

}  // namespace talus
