#include "server/rpc/event_encoding.h"

#include <grpcpp/support/slice.h>

#include <string>

namespace talus::rpc {
namespace {

// EventKind and talus.v1.EventKind share their numbers; a new kind must be given in both.
static_assert(kEventKindCount == v1::EventKind_MAX);
static_assert(static_cast<int>(EventKind::kContactBegin) == v1::EVENT_KIND_CONTACT_BEGIN);
static_assert(static_cast<int>(EventKind::kSceneDeleted) == v1::EVENT_KIND_SCENE_DELETED);
static_assert(static_cast<int>(EventKind::kDeadlineMissed) == v1::EVENT_KIND_DEADLINE_MISSED);
static_assert(static_cast<int>(EventKind::kWatcherDropped) == v1::EVENT_KIND_WATCHER_DROPPED);
static_assert(static_cast<int>(EventKind::kSceneReturned) == v1::EVENT_KIND_SCENE_RETURNED);

void EncodeEvent(const SceneEvent& event, v1::SceneEvent& message) {
  message.set_kind(static_cast<v1::EventKind>(event.kind));
  message.set_sequence(event.sequence);
  message.set_step_index(event.step_index);
  message.mutable_body_ids()->Assign(event.body_ids.begin(), event.body_ids.end());
  message.mutable_other_body_ids()->Assign(event.other_body_ids.begin(),
                                           event.other_body_ids.end());
  message.set_text(event.text);
  message.set_lateness_s(event.lateness_s);
}

}  // namespace

grpc::ByteBuffer EncodeEventsResponse(const EventBatch& batch) {
  v1::WatchEventsResponse response;
  response.set_step_index(batch.step_index);
  response.set_lost_since_last(batch.lost_since_last);
  for (const SceneEventPtr& event : batch.events) EncodeEvent(*event, *response.add_events());
  const grpc::Slice slice(response.SerializeAsString());
  return grpc::ByteBuffer(&slice, 1);
}

}  // namespace talus::rpc
