// What the contacts of the last step carried, so that the next step can start from it.
//
// Entries are sorted by key. A key is made of body ids, not rows, so it survives bodies coming and
// going; impulses are kept in world axes, so it does not matter how the contact frame turns.
// Contacts that carried nothing are left out: a missing entry is a zero. Where bristles, of elastic
// surfaces or of the law, remember what they carried, the normals of the contacts are kept as well:
// what is a push and what is friction is told by them.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/base/ids.h"
#include "solver/base/math.h"
#include "solver/base/slack.h"

namespace talus {

// The identity of a contact across steps.
struct ContactKey {
  BodyId body_a{};
  BodyId body_b{};
  uint32_t shape_a = 0;
  uint32_t shape_b = 0;
  uint32_t feature = 0;
  uint32_t ordinal = 0;  // among contacts that agree in all of the above

  bool operator==(const ContactKey&) const = default;
  // By (body a, shape a, body b, shape b, feature, ordinal): the order of pairs of shape rows.
  std::strong_ordering operator<=>(const ContactKey& other) const {
    return std::tie(body_a, shape_a, body_b, shape_b, feature, ordinal) <=>
           std::tie(other.body_a, other.shape_a, other.body_b, other.shape_b, other.feature,
                    other.ordinal);
  }
};
static_assert(std::has_unique_object_representations_v<ContactKey>, "hashed as raw bytes");

// What body b received, in world axes.
struct CachedImpulse {
  Vec3 linear = Vec3::Zero();   // N s
  Vec3 angular = Vec3::Zero();  // N m s, about the contact point
};

class ContactCache {
 public:
  size_t size() const { return keys_.size(); }
  std::span<const ContactKey> keys() const { return keys_; }
  std::span<const CachedImpulse> impulses() const { return impulses_; }
  std::span<const Vec3> normals() const { return normals_; }  // unit, of body a; perhaps none

  void Clear() {
    keys_.clear();
    impulses_.clear();
    normals_.clear();
  }
  // `key` must be above all keys in the cache. A zero impulse is not kept.
  void Add(const ContactKey& key, const CachedImpulse& impulse);

  void Reserve(size_t more) {
    ReserveMore(keys_, more);
    ReserveMore(impulses_, more);
  }
  // Takes out the entries for whose key leaves(key) holds; the others keep their order.
  template <typename Leaves>
  void RemoveIf(const Leaves& leaves) {
    size_t kept = 0;
    for (size_t index = 0; index < keys_.size(); ++index) {
      if (leaves(keys_[index])) continue;
      keys_[kept] = keys_[index];
      impulses_[kept] = impulses_[index];
      if (!normals_.empty()) normals_[kept] = normals_[index];
      ++kept;
    }
    keys_.resize(kept);
    impulses_.resize(kept);
    if (!normals_.empty()) normals_.resize(kept);
  }
  // Entries set one by one, in any order, instead of added: none may be zero, and in the end their
  // keys must ascend. What was there is lost.
  void Resize(size_t size, bool with_normals = false) {
    ResizeBuffer(keys_, size);
    ResizeBuffer(impulses_, size);
    ResizeBuffer(normals_, with_normals ? size : 0);
  }
  void SetNormal(size_t index, const Vec3& normal) { normals_[index] = normal; }
  // Of all entries, in their order.
  void SetNormals(std::vector<Vec3> normals) { normals_ = std::move(normals); }
  void Set(size_t index, const ContactKey& key, const CachedImpulse& impulse) {
    keys_[index] = key;
    impulses_[index] = impulse;
  }

  // take(index, impulse) for each index of [begin, end) whose key is in the cache; one pass over
  // both. key_of(index) is a key; they ascend.
  template <typename KeyOf, typename Take>
  void Join(size_t begin, size_t end, const KeyOf& key_of, const Take& take) const {
    if (begin == end) return;
    auto cached = static_cast<size_t>(std::lower_bound(keys_.begin(), keys_.end(), key_of(begin)) -
                                      keys_.begin());
    for (size_t index = begin; index < end && cached < keys_.size(); ++index) {
      const ContactKey key = key_of(index);
      // In a heap at rest the next one is the one nearly always.
      if (keys_[cached] != key) {
        while (cached < keys_.size() && keys_[cached] < key) ++cached;
        if (cached == keys_.size() || keys_[cached] != key) continue;
      }
      take(index, impulses_[cached++]);
    }
  }

 private:
  std::vector<ContactKey> keys_;
  std::vector<CachedImpulse> impulses_;
  std::vector<Vec3> normals_;  // of all entries, or none
};

}  // namespace talus
