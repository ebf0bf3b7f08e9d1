#include "solver/state/contact_snapshot.h"

#include <cmath>
#include <utility>
#include <vector>

#include "solver/base/limits.h"

namespace talus {
namespace {

constexpr size_t kContactBytes = 2 * 8 + 4 * 4 + 6 * sizeof(double);

bool DecodeCache(ByteReader& in, ContactCache& cache) {
  const uint64_t count = in.ReadCount(kContactBytes);
  if (in.ok()) cache.Reserve(count);
  for (uint64_t index = 0; index < count; ++index) {
    ContactKey key;
    key.body_a = in.Read<BodyId>();
    key.body_b = in.Read<BodyId>();
    for (uint32_t* part : {&key.shape_a, &key.shape_b, &key.feature, &key.ordinal}) {
      *part = in.Read<uint32_t>();
    }
    const Vec3 linear = in.ReadVector();
    const Vec3 angular = in.ReadVector();
    const bool sorted = cache.size() == 0 || cache.keys().back() < key;
    if (!in.ok() || !sorted || !(key.body_a < key.body_b) || !IsFinite(linear) ||
        !IsFinite(angular) || (linear.isZero(0.0) && angular.isZero(0.0))) {
      return false;
    }
    cache.Add(key, {linear, angular});
  }
  return in.ok();
}

// Of all contacts in the cache.
bool DecodeNormals(ByteReader& in, ContactCache& cache) {
  if (cache.size() == 0 || cache.size() > in.remaining() / sizeof(Vec3)) return false;
  std::vector<Vec3> normals(cache.size());
  for (Vec3& normal : normals) {
    normal = in.ReadVector();
    if (!(std::abs(normal.norm() - 1.0) <= kUnitTolerance)) return false;
  }
  cache.SetNormals(std::move(normals));
  return in.ok();
}

}  // namespace

void EncodeContacts(const ContactCache& cache, ByteWriter& out) {
  out.Write(static_cast<uint64_t>(cache.size()));
  for (size_t index = 0; index < cache.size(); ++index) {
    const ContactKey& key = cache.keys()[index];
    out.Write(key.body_a);
    out.Write(key.body_b);
    for (const uint32_t part : {key.shape_a, key.shape_b, key.feature, key.ordinal})
      out.Write(part);
    out.WriteVector(cache.impulses()[index].linear);
    out.WriteVector(cache.impulses()[index].angular);
  }
  for (const Vec3& normal : cache.normals()) out.WriteVector(normal);
}

absl::Status DecodeContacts(ByteReader& in, bool with_normals, ContactCache& cache) {
  if (!DecodeCache(in, cache)) {
    return absl::InvalidArgumentError("the contact cache does not parse");
  }
  if (with_normals && !DecodeNormals(in, cache)) {
    return absl::InvalidArgumentError("the normals of the contacts do not parse");
  }
  return absl::OkStatus();
}

}  // namespace talus
