// Mass, centre and inertia of a compound of solid spheres and boxes. Overlaps count twice; planes
// and containers have no mass and are left out.
#pragma once

#include <span>

#include "solver/base/math.h"
#include "solver/scene/shape.h"

namespace talus {

struct MassProperties {
  double mass_kg = 0.0;
  Vec3 center_body_m = Vec3::Zero();
  Mat3 inertia_body_kg_m2 = Mat3::Zero();  // about the centre, axes of the body frame
};

// Of shapes filled with one density, kg/m^3.
MassProperties ComputeMassProperties(std::span<const ShapeDef> shapes, double density_kg_m3);

// The same distribution of matter with another total mass.
MassProperties ScaleToMass(const MassProperties& properties, double mass_kg);

// The radius of a sphere about the body origin that holds all spheres and boxes; metres.
double ComputeBoundingRadius(std::span<const ShapeDef> shapes);

}  // namespace talus
