// The compliance of the contacts of one step, where any surface of the scene gives way: the radii
// that Hertz's law asks for are found here, the rest is contact/compliance.h. The memory is kept
// from step to step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/contact/compliance.h"
#include "solver/state/scene_state.h"
#include "solver/world/contact_set.h"

namespace talus {

class StepCompliance {
 public:
  // Of the contacts of `set` at `places`, or of all where there are none, with the impulses they
  // remember. Empty where the scene is rigid.
  void Assemble(WorkerArena& workers, const SceneState& state, const DynamicsView& bodies,
                const ContactSet& set, std::span<const uint32_t> places,
                std::span<const ContactInput> contacts, const WarmStart& memory);

  std::span<const ContactCompliance> contacts() const { return compliance_; }
  void Clear() { compliance_.clear(); }

 private:
  std::vector<double> radii_;
  std::vector<ContactCompliance> compliance_;
};

// R of Hertz's law, m: of two spheres 1/R = 1/R_a + 1/R_b, of a sphere on anything flat its radius
// (also on an edge or a corner of a box), of two flat shapes infinite.
double FindContactRadius(const ShapeTable& shapes, size_t shape_a, size_t shape_b);

}  // namespace talus
