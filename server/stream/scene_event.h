// Something that happened in a scene or to it, as those who watch its events are told.
//
// A value, shared between watchers once it is posted. What happened to many bodies in one step is
// told in few events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace talus {

// The numbers are those of talus.v1.EventKind.
enum class EventKind : int32_t {
  kContactBegin = 1,    // pairs of bodies that carry a force now and did not before the step
  kContactEnd = 2,      // pairs that did, and do not any more
  kBodiesAdded = 3,     // by hand or by an emitter
  kBodiesRemoved = 4,   // by hand, or because they left the domain
  kSceneRestored = 5,   // the state was replaced by hand; contacts begin anew
  kSceneFaulted = 6,    // `text` is the fault
  kSceneDeleted = 7,    // the last event
  kSceneDraining = 8,   // the last event
  kDeadlineMissed = 9,  // no command came by its tick: `text` is the policy; or ticks passed unseen
  kLeaseLost = 10,      // `text`: whose, and why
  kWatcherDropped = 11,  // a slow watcher; `text`: the name of its policy
  kSceneEvicted = 12,    // nobody used it: its state is on disk until somebody does
  kSceneReturned = 13,   // its state is in memory again
};
inline constexpr int kEventKindCount = 13;

inline constexpr size_t kMostBodiesPerEvent = 1024;

struct SceneEvent {
  EventKind kind = EventKind::kContactBegin;
  int64_t sequence = 0;  // given when it is posted: from 1, one more with each event of the scene
  int64_t step_index = -1;  // of the state it led to; -1: where the scene is when it is posted
  std::vector<uint64_t> body_ids;        // the bodies, or a of each pair
  std::vector<uint64_t> other_body_ids;  // b of each pair; empty but for contacts
  std::string text;
  double lateness_s = 0.0;
};

using SceneEventPtr = std::shared_ptr<const SceneEvent>;

}  // namespace talus
