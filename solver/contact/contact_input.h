// What the contact problem is assembled from: the bodies as the step sees them after free motion,
// and the contacts the narrow phase found. Borrowed views; the assembly copies what it keeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "solver/base/math.h"
#include "solver/scene/material.h"
#include "solver/state/contact_cache.h"
#include "solver/state/inertia_table.h"

namespace talus {

// Bodies by row, and the materials of their surfaces. A static or kinematic body has inverse mass 0
// and zero inverse inertia; its velocities are prescribed.
struct DynamicsView {
  std::span<const Vec3> positions;                // centre of mass, world, m
  std::span<const double> inverse_masses;         // 1/kg
  std::span<const double> inverse_inertias;       // of round bodies, 1/(kg m^2)
  std::span<const uint32_t> tensor_rows;          // body -> row of the next; kNoTensor: it is round
  std::span<const Mat3> inverse_tensors_world;    // 1/(kg m^2), symmetric
  std::span<const Vec3> free_linear_velocities;   // after smooth forces, before contacts, m/s
  std::span<const Vec3> free_angular_velocities;  // rad/s
  std::span<const Vec3> old_linear_velocities;    // at the start of the step (restitution), m/s
  std::span<const Vec3> old_angular_velocities;   // rad/s
  std::span<const Material> materials;
  std::span<const PairedMaterial> material_pairs = {};  // ascend by key

  // What the surfaces of two materials are to each other.
  Material PairOf(uint32_t material_a, uint32_t material_b) const {
    if (const Material* own = FindPaired(material_pairs, material_a, material_b)) return *own;
    return material_a == material_b
               ? materials[material_a]
               : CombineMaterials(materials[material_a], materials[material_b]);
  }
};

// One contact between two body rows; at least one of them is dynamic.
struct ContactInput {
  uint32_t body_a = 0;
  uint32_t body_b = 0;
  Vec3 point;               // world, m
  Vec3 normal;              // unit, from a to b
  double gap = 0.0;         // Phi, m
  uint32_t material_a = 0;  // rows of DynamicsView::materials
  uint32_t material_b = 0;
};

// Time step and stabilisation, as in StepSettings.
struct AssemblySettings {
  double time_step_s = 0.0;
  double recovery_speed_m_s = 0.0;
  double restitution_threshold_m_s = 0.0;
};

// The impulse body b receives, world frame: N s at the contact point and N m s about it. Body a
// receives its opposite.
struct ContactImpulse {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();

  bool IsZero() const { return linear.isZero(0.0) && angular.isZero(0.0); }
};

inline constexpr uint32_t kNotKept = std::numeric_limits<uint32_t>::max();

// The impulses a solve starts from. No entries: from zero.
struct WarmStart {
  std::span<const uint32_t> entries;        // contact -> row of `impulses`, or kNotKept: zero
  std::span<const CachedImpulse> impulses;  // none of them zero
  std::span<const Vec3> normals = {};  // of the contacts that carried them; needed by memory only

  bool IsCold() const {
    return std::ranges::all_of(entries, [](uint32_t entry) { return entry == kNotKept; });
  }
};

}  // namespace talus
