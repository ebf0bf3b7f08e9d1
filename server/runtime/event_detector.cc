#include "server/runtime/event_detector.h"

#include <algorithm>
#include <iterator>

namespace talus {
namespace {

using Pair = std::pair<uint64_t, uint64_t>;

std::vector<Pair> FindTouching(HostedWorld& state, const Layout& layout) {
  std::vector<Pair> pairs;
  for (const ContactRecord& contact : state.world().Contacts()) {
    if ((contact.mode & kContactClosed) == 0) continue;
    const uint64_t a = layout.body_ids[contact.body_a_row];
    const uint64_t b = layout.body_ids[contact.body_b_row];
    pairs.push_back(std::minmax(a, b));
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

// What is in `of` and not in `without`; both sorted.
template <typename T>
std::vector<T> Subtract(const std::vector<T>& of, const std::vector<T>& without) {
  std::vector<T> rest;
  std::set_difference(of.begin(), of.end(), without.begin(), without.end(),
                      std::back_inserter(rest));
  return rest;
}

}  // namespace

void EventDetector::Observe(HostedWorld& state) {
  if (!events_.watched()) {
    watching_ = false;
    layout_.reset();
    touching_.reset();
    return;
  }
  if (!watching_) {
    watching_ = true;
    seen_restores_ = state.restore_count();
    faulted_ = !state.world().fault().empty();
    layout_ = state.FindOrMakeLayout();
  }
  ObserveRestore(state);
  ObserveLayout(state);
  ObserveFault(state);
  ObserveContacts(state);
  if (events_.HasNewcomers()) events_.AdmitNewcomers(*layout_, state.step_index());
}

void EventDetector::ObserveRestore(HostedWorld& state) {
  if (state.restore_count() == seen_restores_) return;
  seen_restores_ = state.restore_count();
  faulted_ = false;
  if (touching_.has_value()) touching_->clear();
  compared_step_ = state.step_index();
  SceneEvent event;
  event.kind = EventKind::kSceneRestored;
  event.step_index = state.step_index();
  events_.Post(std::move(event));
}

void EventDetector::ObserveLayout(HostedWorld& state) {
  if (state.layout_version() == layout_->version) return;
  const std::shared_ptr<const Layout> before = std::move(layout_);
  layout_ = state.FindOrMakeLayout();
  PostBodies(EventKind::kBodiesRemoved, Subtract(before->body_ids, layout_->body_ids),
             state.step_index());
  PostBodies(EventKind::kBodiesAdded, Subtract(layout_->body_ids, before->body_ids),
             state.step_index());
}

void EventDetector::ObserveFault(HostedWorld& state) {
  const std::string& fault = state.world().fault();
  if (faulted_ == !fault.empty()) return;
  faulted_ = !fault.empty();
  if (!faulted_) return;
  SceneEvent event;
  event.kind = EventKind::kSceneFaulted;
  event.step_index = state.step_index();
  event.text = fault;
  events_.Post(std::move(event));
}

void EventDetector::ObserveContacts(HostedWorld& state) {
  if (!events_.Wants(EventKind::kContactBegin) && !events_.Wants(EventKind::kContactEnd)) {
    touching_.reset();
    return;
  }
  if (!touching_.has_value()) {
    touching_ = FindTouching(state, *layout_);
    compared_step_ = state.step_index();
    return;
  }
  // Only a step makes contacts begin or end: what a change by hand does to them shows in the next,
  // and one that was not made leaves none to compare with.
  if (compared_step_ == state.step_index() || !state.world().fault().empty()) return;
  compared_step_ = state.step_index();
  std::vector<Pair> touching = FindTouching(state, *layout_);
  PostPairs(EventKind::kContactEnd, Subtract(*touching_, touching), state.step_index());
  PostPairs(EventKind::kContactBegin, Subtract(touching, *touching_), state.step_index());
  touching_ = std::move(touching);
}

void EventDetector::PostBodies(EventKind kind, const std::vector<uint64_t>& ids,
                               int64_t step_index) {
  for (size_t begin = 0; begin < ids.size(); begin += kMostBodiesPerEvent) {
    const size_t end = std::min(ids.size(), begin + kMostBodiesPerEvent);
    SceneEvent event;
    event.kind = kind;
    event.step_index = step_index;
    event.body_ids.assign(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                          ids.begin() + static_cast<std::ptrdiff_t>(end));
    events_.Post(std::move(event));
  }
}

void EventDetector::PostPairs(EventKind kind, const std::vector<Pair>& pairs, int64_t step_index) {
  for (size_t begin = 0; begin < pairs.size(); begin += kMostBodiesPerEvent) {
    const size_t end = std::min(pairs.size(), begin + kMostBodiesPerEvent);
    SceneEvent event;
    event.kind = kind;
    event.step_index = step_index;
    for (size_t index = begin; index < end; ++index) {
      event.body_ids.push_back(pairs[index].first);
      event.other_body_ids.push_back(pairs[index].second);
    }
    events_.Post(std::move(event));
  }
}

}  // namespace talus
