#include "server/session/snapshot_archive.h"

#include <utility>

#include "server/session/error.h"
#include "server/session/resource_name.h"

namespace talus {
namespace {

absl::Status NoSnapshotsError() {
  return StorageError(absl::StatusCode::kFailedPrecondition,
                      "the server has no data directory (option --data-dir), so it stores no "
                      "snapshots");
}

// std::function wants copyable contents; a job that moves its data keeps it behind this.
template <typename T>
std::shared_ptr<T> Share(T value) {
  return std::make_shared<T>(std::move(value));
}

}  // namespace

SnapshotArchive::SnapshotArchive(SceneRegistry& registry, SnapshotStore* store, SceneKeeper* keeper,
                                 Executor& storage_executor, const Limits& limits)
    : registry_(registry),
      store_(store),
      keeper_(keeper),
      storage_executor_(storage_executor),
      saving_(limits.snapshot_bytes),
      restoring_(limits.snapshot_bytes) {}

template <typename Done>
void SnapshotArchive::Post(const Done& done, std::function<void()> job) {
  if (store_ == nullptr) {
    done(NoSnapshotsError());
  } else if (!storage_executor_.Post(std::move(job))) {
    done(DrainingError());
  }
}

void SnapshotArchive::SaveScene(const std::string& scene_id, const std::string& snapshot_id,
                                const CallControlPtr& control, Completion<SnapshotInfo> done) {
  absl::Status status = store_ == nullptr ? NoSnapshotsError() : absl::OkStatus();
  if (status.ok() && !snapshot_id.empty()) status = ValidateId(snapshot_id, "snapshot_id");
  auto actor = registry_.Find(scene_id);
  if (status.ok()) status = actor.status();
  if (!status.ok()) {
    done(status);
    return;
  }
  (*actor)->TakeSnapshot(control, [this, scene = *actor, snapshot_id, done](auto snapshot) {
    if (!snapshot.ok()) {
      done(snapshot.status());
      return;
    }
    auto hold = saving_.Take(static_cast<int64_t>(snapshot->bytes.size()));
    if (!hold.ok()) return done(hold.status());
    Post(done, [this, scene, snapshot_id, done, hold = *std::move(hold),
                saved = Share(*std::move(snapshot))]() mutable {
      auto info = store_->Save(snapshot_id, saved->step_index, saved->state_hash, saved->bytes);
      if (info.ok() && keeper_ != nullptr) keeper_->Link(scene, store_->PathOf(info->id));
      // Before the caller can ask for more.
      saved.reset();
      hold.reset();
      done(std::move(info));
    });
  });
}

void SnapshotArchive::RestoreScene(const std::string& scene_id, const std::string& snapshot_id,
                                   const CallControlPtr& control, Completion<SceneInfo> done) {
  Post(done, [this, scene_id, snapshot_id, control, done] {
    const auto scene = registry_.Find(scene_id);
    if (!scene.ok()) return done(scene.status());
    const absl::Status admitted = (*scene)->AdmitRestore(control);
    if (!admitted.ok()) return done(admitted);
    const auto info = store_->Find(snapshot_id);
    if (!info.ok()) return done(info.status());
    auto hold = restoring_.Take(info->byte_size);
    if (!hold.ok()) return done(hold.status());
    auto stored = store_->Load(snapshot_id);
    if (!stored.ok()) return done(stored.status());
    // The bytes, and then the world they have become, wait until the scene takes its turn.
    registry_.Restore(*scene, std::move(stored->bytes), control,
                      [done, held = Share(*std::move(hold))](absl::StatusOr<SceneInfo> restored) {
                        held->reset();
                        done(std::move(restored));
                      });
  });
}

void SnapshotArchive::CreateScene(CreateSceneCall call, const std::string& snapshot_id,
                                  Completion<CreateSceneAnswer> done) {
  Post(done, [this, snapshot_id, done, shared_call = Share(std::move(call))] {
    auto stored = store_->Load(snapshot_id);
    if (stored.ok()) {
      shared_call->source = std::move(stored->bytes);
      registry_.Create(std::move(*shared_call), done);
    } else {
      done(stored.status());
    }
  });
}

void SnapshotArchive::Find(const std::string& snapshot_id, Completion<SnapshotInfo> done) {
  Post(done, [this, snapshot_id, done] { done(store_->Find(snapshot_id)); });
}

void SnapshotArchive::Save(const std::string& snapshot_id, std::string bytes,
                           Completion<SnapshotInfo> done) {
  Post(done, [this, snapshot_id, done, shared_bytes = Share(std::move(bytes))] {
    const absl::StatusOr<World> world = World::Restore(*shared_bytes);
    if (world.ok()) {
      done(store_->Save(snapshot_id, world->step_index(), world->state_hash(), *shared_bytes));
    } else {
      done(BadSnapshotError(absl::StatusCode::kInvalidArgument,
                            std::string(world.status().message())));
    }
  });
}

void SnapshotArchive::Load(const std::string& snapshot_id, Completion<StoredSnapshot> done) {
  Post(done, [this, snapshot_id, done] { done(store_->Load(snapshot_id)); });
}

void SnapshotArchive::List(int64_t page_size, const std::string& page_token,
                           Completion<SnapshotPage> done) {
  Post(done, [this, page_size, page_token, done] { done(store_->List(page_size, page_token)); });
}

void SnapshotArchive::Delete(const std::string& snapshot_id, StatusCompletion done) {
  Post(done, [this, snapshot_id, done] { done(store_->Delete(snapshot_id)); });
}

}  // namespace talus
