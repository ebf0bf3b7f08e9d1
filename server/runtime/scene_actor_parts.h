// What a scene actor is made of, and how a call becomes a command: for the actor's own sources.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/runtime/event_detector.h"
#include "server/runtime/hosted_world.h"
#include "server/runtime/mailbox.h"
#include "server/runtime/scene_actor.h"
#include "server/runtime/scene_inbox.h"
#include "server/runtime/scene_residence.h"
#include "server/runtime/single_command.h"
#include "server/session/error.h"
#include "server/stream/event_hub.h"
#include "server/stream/hub.h"

namespace talus {

struct EvictionOrder {
  int64_t idle_mark = 0;
  std::shared_ptr<EvictedScene> place;
  Completion<bool> done;
};

struct SceneActor::Impl {
  Impl(const std::string& scene_id, World world, const SceneRuntime& scene_runtime,
       const SceneTerms& terms)
      : id(scene_id),
        runtime(scene_runtime),
        idle_ttl_s(terms.idle_ttl_s),
        inbox(runtime.limits.mailbox_depth, MakeFirstInfo(world)),
        hub(runtime.limits.watchers_per_scene),
        events(runtime.limits.watchers_per_scene),
        scratch(terms.scratch),
        state(id, std::move(world), runtime.limits, runtime.statistics) {}

  // A scene that is let go without having been ended still answers everybody.
  ~Impl() {
    const absl::Status status = SceneDeletedError();
    if (current != nullptr) current->Fail(status);
    for (auto& command : inbox.TakeAll()) command->Fail(status);
    hub.End(status);
    events.End(status);
    state.EndRecorders(status);
  }

  // What is told before the first quantum.
  SceneInfo MakeFirstInfo(const World& world) const {
    SceneInfo info = MakeSceneInfo(id, world, world.layout_version());
    info.idle_ttl_s = idle_ttl_s;
    return info;
  }
  // What answers tell of the scene; inside its quantum.
  SceneInfo MakeInfo() const {
    SceneInfo info = state.MakeInfo();
    info.holder = inbox.holder();
    info.idle_ttl_s = idle_ttl_s;
    return info;
  }

  const std::string id;
  const SceneRuntime runtime;
  const double idle_ttl_s;
  SceneInbox inbox;
  Hub hub;
  EventHub events;
  std::atomic<bool> preparation_asked{false};
  std::atomic<bool> scratch;
  // Touched inside the actor's quanta only.
  HostedWorld state;
  EventDetector detector{events};
  std::unique_ptr<Command> current;
  SceneResidence residence;
  // To be carried out or refused when the turn that took it ends.
  std::optional<EvictionOrder> eviction;
};

inline std::string_view LeaseOf(const CallControlPtr& control) {
  return control == nullptr ? std::string_view() : std::string_view(control->lease());
}

template <typename T>
void SceneActor::SubmitSingle(Mailbox::Lane lane, const CallControlPtr& control, Completion<T> done,
                              std::function<absl::StatusOr<T>(HostedWorld&)> work) {
  Waiter<T> waiter{control, std::move(done)};
  if (lane == Mailbox::Lane::kChanges) waiter.term = impl_->inbox.FindTerm(LeaseOf(control));
  auto command = std::make_unique<SingleCommand<T>>(std::move(waiter), std::move(work));
  if (impl_->inbox.Submit(lane, std::move(command), LeaseOf(control))) MakeReady();
}

}  // namespace talus
