#include "solver/world/contact_search.h"

#include <algorithm>

#include "solver/base/slack.h"
#include "solver/collision/narrow_phase.h"
#include "solver/collision/sphere_plane.h"
#include "solver/collision/sphere_sphere.h"
#include "solver/parallel/parallel_for.h"
#include "solver/world/joint_links.h"

namespace talus {
namespace {

constexpr size_t kPairChunk = 256;

// At most eight points, so by insertion: stable, and without the buffer that std::stable_sort would
// allocate for every pair.
void SortByFeature(ContactManifold& manifold) {
  const auto count = static_cast<size_t>(manifold.count);
  for (size_t next = 1; next < count; ++next) {
    const ContactPoint point = manifold.points[next];
    size_t place = next;
    for (; place > 0 && point.feature < manifold.points[place - 1].feature; --place) {
      manifold.points[place] = manifold.points[place - 1];
    }
    manifold.points[place] = point;
  }
}

}  // namespace

std::span<const ProxyPair> ContactSearch::WithoutExcluded(std::span<const ProxyPair> pairs) {
  if (excluded_.empty()) return pairs;
  kept_pairs_.clear();
  for (const ProxyPair& pair : pairs) {
    // Shapes are in the order of their bodies.
    const std::pair rows(shapes_.body_row(pair.a), shapes_.body_row(pair.b));
    if (!std::ranges::binary_search(excluded_, rows)) kept_pairs_.push_back(pair);
  }
  return kept_pairs_;
}

size_t ContactSearch::FindPairs(WorkerArena& workers, const SceneState& state,
                                const FreeVelocities& velocities) {
  const double h = state.settings.time_step_s;
  shapes_.Place(workers, state, velocities);
  FindExcludedRows(state, excluded_);
  pairs_ = WithoutExcluded(broad_phase_.FindPairs(workers, shapes_.broad_phase_input()));
  // What a step or two of gravity makes is rest, not an impact.
  const double rest_speed = 2.0 * h * state.settings.gravity_world_m_s2.norm();
  if (stirs_.Find(workers, state.bodies.size(), shapes_, pairs_, rest_speed)) {
    // Once more, with room for what the impacts may set moving.
    shapes_.GrowBounds(workers, stirs_.by_row(), h);
    pairs_ = WithoutExcluded(broad_phase_.FindPairs(workers, shapes_.broad_phase_input()));
  }
  return pairs_.size();
}

double ContactSearch::FindMargin(double time_step_s, const ProxyPair& pair) const {
  const PlacedShape& a = shapes_[pair.a];
  const PlacedShape& b = shapes_[pair.b];
  double speed = RelativeSpeed(a, b);
  if (stirs_.any()) {
    const std::span<const double> stirs = stirs_.by_row();
    speed = std::max({speed, stirs[shapes_.body_row(pair.a)], stirs[shapes_.body_row(pair.b)]});
  }
  return time_step_s * speed + kMarginFraction * std::min(a.size, b.size);
}

void ContactSearch::FindSpherePoint(uint32_t pair_index, double margin, Chunk& chunk) const {
  const PlacedShape& a = shapes_[pairs_[pair_index].a];
  const PlacedShape& b = shapes_[pairs_[pair_index].b];
  FoundPoint& found = chunk.points.emplace_back();
  found.pair = pair_index;
  if (!FindSphereContact(a.center, a.size, b.center, b.size, margin, found.point, found.normal,
                         found.gap)) {
    chunk.points.pop_back();
  }
}

void ContactSearch::FindPlanePoint(uint32_t pair_index, double margin, Chunk& chunk) const {
  const ProxyPair& pair = pairs_[pair_index];
  const bool plane_first = shapes_.is_plane(pair.a);
  const PlacedShape& sphere = shapes_[plane_first ? pair.b : pair.a];
  const ShapeProxy& plane = shapes_.solid(plane_first ? pair.a : pair.b);
  FoundPoint found;
  if (!FindPlaneContact(sphere.center, sphere.size, std::get<Plane>(plane.geometry),
                        plane.pose_world, margin, found.point, found.normal, found.gap)) {
    return;
  }
  if (plane_first) found.normal = -found.normal;
  found.pair = pair_index;
  chunk.points.push_back(found);
}

void ContactSearch::FindSolidPoints(uint32_t pair_index, double margin, Chunk& chunk) const {
  const ProxyPair& pair = pairs_[pair_index];
  ContactManifold manifold;
  talus::FindContacts(shapes_.proxy(pair.a), shapes_.proxy(pair.b), margin, manifold);
  SortByFeature(manifold);
  for (size_t i = 0; i < static_cast<size_t>(manifold.count); ++i) {
    const ContactPoint& found = manifold.points[i];
    chunk.points.push_back({found.point, found.normal, found.gap, found.feature, pair_index});
  }
}

void ContactSearch::FindPoints(double time_step_s, size_t begin, size_t end, Chunk& chunk) const {
  chunk.points.clear();
  for (size_t index = begin; index < end; ++index) {
    const ProxyPair& pair = pairs_[index];
    const double margin = FindMargin(time_step_s, pair);
    const auto place = static_cast<uint32_t>(index);
    const bool sphere_a = shapes_.is_sphere(pair.a);
    const bool sphere_b = shapes_.is_sphere(pair.b);
    if (sphere_a && sphere_b) {
      FindSpherePoint(place, margin, chunk);
    } else if ((sphere_a && shapes_.is_plane(pair.b)) || (sphere_b && shapes_.is_plane(pair.a))) {
      FindPlanePoint(place, margin, chunk);
    } else {
      FindSolidPoints(place, margin, chunk);
    }
  }
  chunk.deepest = 0.0;
  for (const FoundPoint& found : chunk.points) {
    chunk.deepest = std::max(chunk.deepest, -found.gap);
  }
}

void ContactSearch::WriteContacts(const SceneState& state, const Chunk& chunk,
                                  std::vector<ContactInput>& contacts,
                                  std::vector<ContactMark>& marks) const {
  const ShapeTable& shapes = state.bodies.shapes();
  size_t place = chunk.first;
  const FoundPoint* last = nullptr;
  for (const FoundPoint& found : chunk.points) {
    const ProxyPair& pair = pairs_[found.pair];
    const bool repeated =
        last != nullptr && last->pair == found.pair && last->feature == found.feature;
    const uint32_t ordinal = repeated ? marks[place - 1].ordinal + 1 : 0;
    ContactInput& contact = contacts[place];
    contact.body_a = shapes.body(pair.a);
    contact.body_b = shapes.body(pair.b);
    contact.point = found.point;
    contact.normal = found.normal;
    contact.gap = found.gap;
    contact.material_a = shapes.material(pair.a);
    contact.material_b = shapes.material(pair.b);
    marks[place] = {found.feature, ordinal, static_cast<uint16_t>(shapes.index(pair.a)),
                    static_cast<uint16_t>(shapes.index(pair.b))};
    last = &found;
    ++place;
  }
}

double ContactSearch::FindContacts(WorkerArena& workers, const SceneState& state,
                                   std::vector<ContactInput>& contacts,
                                   std::vector<ContactMark>& marks) {
  const double h = state.settings.time_step_s;
  size_t count = 0;
  double deepest = 0.0;
  const size_t contact_room = contacts.capacity();
  const size_t mark_room = marks.capacity();
  const size_t batch_size = BatchChunks(workers) * kPairChunk;
  // A batch at a time: what was found stays in the cache until it is written.
  for (size_t first = 0; first < pairs_.size(); first += batch_size) {
    const size_t batch = std::min(batch_size, pairs_.size() - first);
    const size_t chunk_count = ChunkCount(batch, kPairChunk);
    if (chunks_.size() < chunk_count) chunks_.resize(chunk_count);
    ParallelForChunks(workers, batch, kPairChunk, [&](size_t begin, size_t end, size_t index) {
      FindPoints(h, first + begin, first + end, chunks_[index]);
    });
    for (Chunk& chunk : std::span(chunks_).first(chunk_count)) {
      chunk.first = count;
      count += chunk.points.size();
      deepest = std::max(deepest, chunk.deepest);
    }
    ExtendBuffer(contacts, count, first + batch, pairs_.size());
    ExtendBuffer(marks, count, first + batch, pairs_.size());
    ParallelFor(workers, chunk_count, 1,
                [&](size_t index) { WriteContacts(state, chunks_[index], contacts, marks); });
  }
  FitBuffer(contacts, count, contact_room);
  FitBuffer(marks, count, mark_room);
  return deepest;
}

}  // namespace talus
