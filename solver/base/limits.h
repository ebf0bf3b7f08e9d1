// The bounds that validation holds a scene to, in one place. They are far beyond any sensible
// scene; their purpose is that no product of admitted values can overflow, underflow to zero or
// lose a body in the grid.
#pragma once

#include <cstddef>
#include <cstdint>

namespace talus {

// What a user may ask for.
inline constexpr double kMaxPositionM = 1e9;         // per component
inline constexpr double kMaxSpeedMS = 1e6;           // per component
inline constexpr double kMaxAngularSpeedRadS = 1e6;  // per component
inline constexpr double kMinSizeM = 1e-6;            // radii, half extents, thicknesses
inline constexpr double kMaxSizeM = 1e6;
inline constexpr double kMinMassKg = 1e-12;
inline constexpr double kMaxMassKg = 1e15;
inline constexpr double kMinDensityKgM3 = 1e-3;
inline constexpr double kMaxDensityKgM3 = 1e6;
inline constexpr double kMaxAccelerationMS2 = 1e6;  // gravity, per component
inline constexpr double kMaxFriction = 1e6;         // mu without unit; rho and sigma in metres
inline constexpr double kMinStiffness = 1e-6;       // N/m, N m/rad; 0 is rigid
inline constexpr double kMaxStiffness = 1e15;
inline constexpr double kMinDamping = 1e-6;  // N s/m, N m s/rad, of what creeps
inline constexpr double kMaxDamping = 1e15;
inline constexpr double kMinModulusPa = 1.0;
inline constexpr double kMaxModulusPa = 1e15;
inline constexpr double kMinTimeStepS = 1e-6;
inline constexpr double kMaxTimeStepS = 1.0;
inline constexpr double kMaxStartTimeS = 1e9;
inline constexpr double kMaxRatePerS = 1e7;
inline constexpr double kMaxSleepTimeS = 1000.0;
inline constexpr int64_t kMaxParticles = 10'000'000;  // of one emitter
inline constexpr double kMinTolerance = 1e-14;
inline constexpr double kMaxTolerance = 1.0;
inline constexpr int32_t kMaxSweeps = 1'000'000;
// Of polygonal friction; each direction has its opposite.
inline constexpr int32_t kMinFacets = 4;
inline constexpr int32_t kMaxFacets = 32;
inline constexpr double kMinStiffnessNM = 1e-3;  // of bristles
inline constexpr double kMaxStiffnessNM = 1e15;
inline constexpr size_t kMaxNameLength = 64;
inline constexpr size_t kMaxShapesPerBody = 64;
inline constexpr size_t kMaxBodies = 16'777'216;
inline constexpr size_t kMaxMaterials = 65'536;
inline constexpr size_t kMaxMaterialPairs = 65'536;
inline constexpr size_t kMaxEmitters = 1'024;
// Of a bare contact problem: what its matrices may come to, so that no file of a few megabytes asks
// for all memory.
inline constexpr size_t kMaxProblemBlocks = 200'000;     // contacts, joints
inline constexpr size_t kMaxMassPart = 3'000;            // rows of M that hang together
inline constexpr double kMaxFormingWork = 1e11;          // multiplications that make W of M and H
inline constexpr size_t kMaxDelassusBlocks = 4'000'000;  // of W, given or formed from M and H
// And its numbers, by magnitude: far beyond what the step of a scene comes to, and so far from the
// ends of double that neither squares nor quotients of admitted numbers get there. Coefficients of
// friction are those of scenes.
inline constexpr double kMaxProblemSpeed = 1e20;    // q, w: m/s, rad/s
inline constexpr double kMaxProblemImpulse = 1e40;  // f, bounds that are finite: N s, N m s
inline constexpr double kMaxProblemMass = 1e30;     // M: kg, kg m²
inline constexpr double kMaxDirection = 1e15;       // H
inline constexpr double kMaxMobility = 1e50;        // W: m/(s N s), rad/(s N m s)
inline constexpr double kMaxRowCompliance = 1e30;   // E
inline constexpr double kMinDiagonal = 1e-35;       // of M; of W and E where they are not 0
inline constexpr size_t kMaxJoints = 4'096;
inline constexpr size_t kMaxActuators = 65'536;  // of one call
inline constexpr double kMaxForce = 1e15;        // of motors and seals, N and N m
inline constexpr double kMaxCompliance = 1e15;   // of locked axes, m/N and rad/(N m)
// An angle beyond is too near half a turn, where it comes back with the other sign.
inline constexpr double kMaxJointAngleRad = 3.0;
inline constexpr double kUnitTolerance = 1e-6;  // a quaternion's norm may be off by this much

// What a state may become. Beyond these a step ends in a fault, as a non-finite number does.
inline constexpr double kMaxStatePositionM = 1e12;        // per component
inline constexpr double kMaxStateSpeedMS = 1e9;           // per component
inline constexpr double kMaxStateAngularSpeedRadS = 1e9;  // per component

}  // namespace talus
