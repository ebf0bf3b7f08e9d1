// How the memory of a scene is let go and comes back. The rest of the actor is in scene_actor.cc.
#include <utility>

#include "server/runtime/scene_actor_parts.h"
#include "server/session/error.h"

namespace talus {
namespace {

absl::Status InUse() { return absl::FailedPreconditionError("the scene is in use"); }

SceneEvent MakeEvent(EventKind kind) {
  SceneEvent event;
  event.kind = kind;
  return event;
}

}  // namespace

std::optional<int64_t> SceneActor::FindIdleMark() const {
  if (impl_->hub.CountWatchers() > 0) return std::nullopt;
  return impl_->inbox.FindIdleMark();
}

void SceneActor::CopyIdleState(int64_t idle_mark, Completion<IdleState> done) {
  // The command only runs inside this actor's quantum, so `impl` outlives it.
  auto copy = [this, impl = impl_.get(),
               idle_mark](HostedWorld& state) -> absl::StatusOr<IdleState> {
    const bool idle = impl->current == nullptr && FindIdleMark() == idle_mark;
    if (!idle || state.CountRecorders() > 0) return InUse();
    return IdleState{idle_mark, state.step_index(), state.world().state_hash(), state.CopyState()};
  };
  auto command = std::make_unique<SingleCommand<IdleState>>(
      Waiter<IdleState>{nullptr, std::move(done)}, std::move(copy));
  if (impl_->inbox.SubmitOwnRead(std::move(command))) MakeReady();
}

void SceneActor::Evict(int64_t idle_mark, std::shared_ptr<EvictedScene> place,
                       Completion<bool> done) {
  // Only noted here: the turn that carries this command out still works on the state.
  class EvictCommand : public Command {
   public:
    EvictCommand(Impl& impl, EvictionOrder order) : impl_(impl), order_(std::move(order)) {}
    bool Sweep(Clock::TimePoint, int64_t, DueAnswers&) override { return true; }
    bool Advance(HostedWorld&, Quantum&) override {
      if (impl_.eviction.has_value()) {
        order_.done(false);
      } else {
        impl_.eviction.emplace(std::move(order_));
      }
      return true;
    }
    void Fail(const absl::Status& status) override { order_.done(status); }

   private:
    Impl& impl_;
    EvictionOrder order_;
  };
  auto command = std::make_unique<EvictCommand>(
      *impl_, EvictionOrder{idle_mark, std::move(place), std::move(done)});
  if (impl_->inbox.SubmitOwnRead(std::move(command))) MakeReady();
}

void SceneActor::CarryOutEviction(bool busy) {
  if (!impl_->eviction.has_value()) return;
  EvictionOrder order = *std::exchange(impl_->eviction, std::nullopt);
  const bool open = impl_->inbox.life() == SceneInbox::Life::kOpen;
  const bool idle = impl_->current == nullptr && FindIdleMark() == order.idle_mark;
  const bool evict = open && !busy && idle && impl_->state.CountRecorders() == 0;
  if (evict) {
    impl_->state.Evict();
    impl_->residence.Leave(std::move(order.place));
    impl_->inbox.NoteEvicted(true);
    PostEvent(MakeEvent(EventKind::kSceneEvicted));
  }
  order.done(evict);
}

bool SceneActor::BringBack() {
  if (!impl_->residence.evicted()) return true;
  const bool needed = !impl_->inbox.empty() || impl_->hub.watched() || impl_->events.HasNewcomers();
  if (!needed || impl_->inbox.life() != SceneInbox::Life::kOpen) return false;
  auto state = impl_->residence.Fetch([weak = weak_from_this()] {
    if (const std::shared_ptr<SceneActor> self = weak.lock()) self->MakeReady();
  });
  if (!state.has_value()) return false;
  const absl::Status status =
      state->ok() ? impl_->state.Return(**std::move(state)) : state->status();
  if (!status.ok()) {
    // Whoever comes later tries again.
    for (auto& command : impl_->inbox.TakeAll()) command->Fail(status);
    impl_->hub.EndPresent(status);
    impl_->events.EndPresent(status);
    return false;
  }
  impl_->residence.Return();
  impl_->inbox.NoteEvicted(false);
  PostEvent(MakeEvent(EventKind::kSceneReturned));
  return true;
}

}  // namespace talus
