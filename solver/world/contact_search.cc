#include "solver/world/contact_search.h"

#include <algorithm>
#include <limits>

#include "solver/collision/shape_bounds.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kShapeChunk = 256;
constexpr size_t kPairChunk = 128;

// Surfaces closer than this fraction of the smaller shape are a contact even when nothing drives
// them together: an impact elsewhere may, within the same step.
constexpr double kMarginFraction = 0.01;

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

// A plane has no reach of its own: a turning one moves whatever it can touch, out to the farthest
// body.
double ContactSearch::PlaneReach(const SceneState& state, const ShapeRow& shape) const {
  const Vec3& origin = state.bodies.positions()[shape.body];
  double reach = 0.0;
  for (const Vec3& position : state.bodies.positions()) {
    reach = std::max(reach, (position - origin).norm());
  }
  return reach;
}

void ContactSearch::PlaceShape(const SceneState& state, const FreeVelocities& velocities,
                               size_t index) {
  const ShapeRow& shape = state.bodies.shapes()[index];
  const size_t row = shape.body;
  const double h = state.settings.time_step_s;
  const Pose body{state.bodies.positions()[row], state.bodies.orientations()[row]};
  ShapeProxy& proxy = proxies_[index];
  proxy.geometry = shape.geometry;
  proxy.pose_world = body * shape.pose_body;
  movable_[index] = state.bodies.kinds()[row] == BodyKind::kDynamic ? 1 : 0;
  body_rows_[index] = shape.body;
  Scale& scale = scales_[index];
  if (std::holds_alternative<Plane>(shape.geometry)) {
    scale.size = std::numeric_limits<double>::infinity();
    scale.spin_reach = velocities.angular[row].isZero(0.0) ? 0.0 : PlaneReach(state, shape);
    return;
  }
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    scale.size = sphere->radius_m;
    scale.spin_reach = shape.pose_body.position.norm();
  } else {
    const Vec3& half_extents = std::get<Box>(shape.geometry).half_extents_m;
    scale.size = half_extents.minCoeff();
    scale.spin_reach = shape.pose_body.position.norm() + half_extents.norm();
  }
  const double margin =
      kMarginFraction * scale.size + h * velocities.angular[row].norm() * scale.spin_reach;
  Aabb& bounds = bounds_[index];
  bounds = FindBounds(proxy.geometry, proxy.pose_world, margin);
  const Vec3 way = h * velocities.linear[row];
  bounds.min += way.cwiseMin(0.0);
  bounds.max += way.cwiseMax(0.0);
}

void ContactSearch::PlacePlanes(const SceneState& state, const FreeVelocities& velocities) {
  const std::span<const ShapeRow> shapes = state.bodies.shapes();
  planes_.clear();
  for (size_t index = 0; index < shapes.size(); ++index) {
    const auto* plane = std::get_if<Plane>(&shapes[index].geometry);
    if (plane == nullptr) continue;
    const size_t row = shapes[index].body;
    // Bounds of the other shape carry its margin; what is left is the plane's own motion.
    const double speed =
        velocities.linear[row].norm() + velocities.angular[row].norm() * scales_[index].spin_reach;
    planes_.push_back(
        {static_cast<uint32_t>(index),
         FindHalfSpace(*plane, proxies_[index].pose_world, state.settings.time_step_s * speed)});
  }
}

void ContactSearch::PlaceShapes(WorkerArena& workers, const SceneState& state,
                                const FreeVelocities& velocities) {
  const size_t count = state.bodies.shapes().size();
  proxies_.resize(count);
  scales_.resize(count);
  bounds_.resize(count);
  movable_.resize(count);
  body_rows_.resize(count);
  ParallelFor(workers, count, kShapeChunk,
              [&](size_t index) { PlaceShape(state, velocities, index); });
  PlacePlanes(state, velocities);
}

// A bound on how fast the two surfaces approach each other after free motion.
double ContactSearch::RelativeSpeed(const SceneState& state, const FreeVelocities& velocities,
                                    const ProxyPair& pair) const {
  const uint32_t a = state.bodies.shapes()[pair.a].body;
  const uint32_t b = state.bodies.shapes()[pair.b].body;
  return (velocities.linear[b] - velocities.linear[a]).norm() +
         velocities.angular[a].norm() * scales_[pair.a].spin_reach +
         velocities.angular[b].norm() * scales_[pair.b].spin_reach;
}

// Fills in the stirs from the pairs found so far. Whether there are any.
bool ContactSearch::FindStirs(const SceneState& state, const FreeVelocities& velocities) {
  // What a step or two of gravity makes is rest, not an impact.
  const double rest = 2.0 * state.settings.time_step_s * state.settings.gravity_world_m_s2.norm();
  bool any = false;
  stirs_.assign(state.bodies.size(), 0.0);
  for (const ProxyPair& pair : pairs_) {
    const double speed = RelativeSpeed(state, velocities, pair);
    if (speed <= rest) continue;
    any = true;
    for (const uint32_t shape : {pair.a, pair.b}) {
      double& stir = stirs_[body_rows_[shape]];
      if (movable_[shape] != 0) stir = std::max(stir, speed);
    }
  }
  if (!any) return false;
  near_stirs_ = stirs_;
  for (const ProxyPair& pair : pairs_) {
    if (movable_[pair.a] == 0 || movable_[pair.b] == 0) continue;
    const uint32_t a = body_rows_[pair.a];
    const uint32_t b = body_rows_[pair.b];
    stirs_[a] = std::max(stirs_[a], near_stirs_[b]);
    stirs_[b] = std::max(stirs_[b], near_stirs_[a]);
  }
  return true;
}

size_t ContactSearch::FindPairs(WorkerArena& workers, const SceneState& state,
                                const FreeVelocities& velocities) {
  PlaceShapes(workers, state, velocities);
  const BroadPhaseInput input{bounds_, movable_, body_rows_, planes_};
  pairs_ = broad_phase_.FindPairs(workers, input);
  if (FindStirs(state, velocities)) {
    // Once more, with room for what the impacts may set moving.
    for (size_t index = 0; index < bounds_.size(); ++index) {
      const Vec3 way = Vec3::Constant(state.settings.time_step_s * stirs_[body_rows_[index]]);
      bounds_[index].min -= way;
      bounds_[index].max += way;
    }
    pairs_ = broad_phase_.FindPairs(workers, input);
  }
  return pairs_.size();
}

void ContactSearch::AddContacts(const SceneState& state, const FreeVelocities& velocities,
                                const ProxyPair& pair, Chunk& chunk) const {
  const ShapeRow& a = state.bodies.shapes()[pair.a];
  const ShapeRow& b = state.bodies.shapes()[pair.b];
  const double speed =
      std::max({RelativeSpeed(state, velocities, pair), stirs_[a.body], stirs_[b.body]});
  const double margin = state.settings.time_step_s * speed +
                        kMarginFraction * std::min(scales_[pair.a].size, scales_[pair.b].size);
  ContactManifold manifold;
  talus::FindContacts(proxies_[pair.a], proxies_[pair.b], margin, manifold);
  const auto end = manifold.points.begin() + manifold.count;
  SortByFeature(manifold);
  const Material material =
      CombineMaterials(state.materials[a.material].material, state.materials[b.material].material);
  ContactKey key{state.bodies.ids()[a.body], state.bodies.ids()[b.body], a.index, b.index, 0, 0};
  for (auto point = manifold.points.begin(); point != end; ++point) {
    const bool repeated = point != manifold.points.begin() && point->feature == key.feature;
    key.ordinal = repeated ? key.ordinal + 1 : 0;
    key.feature = point->feature;
    chunk.keys.push_back(key);
    chunk.contacts.push_back({a.body, b.body, point->point, point->normal, point->gap, material});
  }
}

void ContactSearch::FindContacts(WorkerArena& workers, const SceneState& state,
                                 const FreeVelocities& velocities,
                                 std::vector<ContactInput>& contacts,
                                 std::vector<ContactKey>& keys) {
  const size_t chunk_count = ChunkCount(pairs_.size(), kPairChunk);
  if (chunks_.size() < chunk_count) chunks_.resize(chunk_count);
  ParallelForChunks(workers, pairs_.size(), kPairChunk,
                    [&](size_t begin, size_t end, size_t index) {
                      Chunk& chunk = chunks_[index];
                      chunk.contacts.clear();
                      chunk.keys.clear();
                      for (size_t pair = begin; pair < end; ++pair) {
                        AddContacts(state, velocities, pairs_[pair], chunk);
                      }
                    });
  contacts.clear();
  keys.clear();
  for (size_t index = 0; index < chunk_count; ++index) {
    const Chunk& chunk = chunks_[index];
    contacts.insert(contacts.end(), chunk.contacts.begin(), chunk.contacts.end());
    keys.insert(keys.end(), chunk.keys.begin(), chunk.keys.end());
  }
}

}  // namespace talus
