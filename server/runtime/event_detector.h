// What happened to a scene between two of its states: contacts that begin and end, bodies that come
// and go, a fault, a restore. Found by comparison, and only while somebody watches.
//
// Belongs to one actor and is used at step boundaries, where the state is whole. What cannot be
// seen in a state (missed deadlines, lost leases) is posted to the hub by who knows of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "server/runtime/hosted_world.h"
#include "server/stream/event_hub.h"

namespace talus {

class EventDetector {
 public:
  // `events` must outlive the detector.
  explicit EventDetector(EventHub& events) : events_(events) {}

  // Compares the state with the one seen last and posts the differences; then lets newcomers begin.
  void Observe(HostedWorld& state);

 private:
  using Pair = std::pair<uint64_t, uint64_t>;

  void ObserveRestore(HostedWorld& state);
  void ObserveLayout(HostedWorld& state);
  void ObserveFault(HostedWorld& state);
  void ObserveContacts(HostedWorld& state);
  // Of many bodies in few events.
  void PostBodies(EventKind kind, const std::vector<uint64_t>& ids, int64_t step_index);
  void PostPairs(EventKind kind, const std::vector<Pair>& pairs, int64_t step_index);

  EventHub& events_;
  bool watching_ = false;
  int64_t seen_restores_ = 0;
  bool faulted_ = false;
  std::shared_ptr<const Layout> layout_;
  // The pairs that carry a force, sorted; empty while nobody wants to know.
  std::optional<std::vector<Pair>> touching_;
  int64_t compared_step_ = 0;  // whose pairs they are, or where a restore came to
};

}  // namespace talus
