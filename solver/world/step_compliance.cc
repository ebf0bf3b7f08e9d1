#include "solver/world/step_compliance.h"

#include <limits>
#include <variant>

#include "solver/base/slack.h"
#include "solver/parallel/parallel_for.h"

namespace talus {
namespace {

constexpr size_t kComplianceChunk = 512;

double InverseRadius(const ShapeTable& shapes, size_t row) {
  if (const double radius = shapes.ball_radius(row); radius > 0.0) return 1.0 / radius;
  const ShapeRow shape = shapes[row];
  const auto* const sphere = std::get_if<Sphere>(&shape.geometry);
  return sphere != nullptr ? 1.0 / sphere->radius_m : 0.0;
}

}  // namespace

double FindContactRadius(const ShapeTable& shapes, size_t shape_a, size_t shape_b) {
  const double curvature = InverseRadius(shapes, shape_a) + InverseRadius(shapes, shape_b);
  return curvature > 0.0 ? 1.0 / curvature : std::numeric_limits<double>::infinity();
}

void StepCompliance::Assemble(WorkerArena& workers, const SceneState& state,
                              const DynamicsView& bodies, const ContactSet& set,
                              std::span<const uint32_t> places,
                              std::span<const ContactInput> contacts, const WarmStart& memory) {
  Clear();
  if (!state.materials.elastic()) return;
  ResizeBuffer(radii_, state.materials.hertzian() ? contacts.size() : 0);
  const ShapeTable& shapes = state.bodies.shapes();
  ParallelFor(workers, radii_.size(), kComplianceChunk, [&](size_t index) {
    const ContactMark& mark = set.marks[places.empty() ? index : places[index]];
    radii_[index] =
        FindContactRadius(shapes, shapes.rows_of(contacts[index].body_a).begin + mark.shape_a,
                          shapes.rows_of(contacts[index].body_b).begin + mark.shape_b);
  });
  AssembleCompliance(workers, bodies, contacts, radii_, memory, state.settings.time_step_s,
                     compliance_);
}

}  // namespace talus
