#include "solver/contact/kernels/compliant_kernels.h"

#define TALUS_REAL double
#define TALUS_STORED double
#define TALUS_KERNELS talus::compliant
#define TALUS_COMPLIANT

// Once for each instruction set: this file, and with it the -inl headers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solver/contact/kernels/compliant_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "solver/contact/kernels/complete-inl.h"

#if HWY_ONCE
namespace talus::compliant {

HWY_EXPORT(SweepAlartCurnier);
HWY_EXPORT(SweepProjected);
HWY_EXPORT(FindLocalVelocities);
HWY_EXPORT(FindWeights);
HWY_EXPORT(ProjectImpulses);
HWY_EXPORT(MeasureResidual);
HWY_EXPORT(DescribeContacts);
HWY_EXPORT(MeasureDriving);
HWY_EXPORT(CompleteBlocks);

SweepChange SweepAlartCurnier(const Sweep& sweep, const BlockChunk& chunk) {
  return HWY_DYNAMIC_DISPATCH(SweepAlartCurnier)(sweep, chunk);
}

SweepChange SweepProjected(const Sweep& sweep, const BlockChunk& chunk) {
  return HWY_DYNAMIC_DISPATCH(SweepProjected)(sweep, chunk);
}

void FindLocalVelocities(const Span& problem, const BlockChunk& chunk, const WrenchBlock* impulse,
                         const BodyMotion* motions, WrenchBlock* velocity) {
  HWY_DYNAMIC_DISPATCH(FindLocalVelocities)(problem, chunk, impulse, motions, velocity);
}

void FindWeights(const Span& problem, const BlockChunk& chunk, const BodyMotion* motions,
                 PartBlock* weights) {
  HWY_DYNAMIC_DISPATCH(FindWeights)(problem, chunk, motions, weights);
}

void ProjectImpulses(const Span& problem, const BlockChunk& chunk, double step,
                     const BodyMotion* motions, const WrenchBlock* velocity, WrenchBlock* impulse) {
  HWY_DYNAMIC_DISPATCH(ProjectImpulses)(problem, chunk, step, motions, velocity, impulse);
}

ResidualParts MeasureResidual(const Span& problem, const BlockChunk& chunk, ContactLaw law,
                              const WrenchBlock* impulse, const BodyMotion* motions) {
  return HWY_DYNAMIC_DISPATCH(MeasureResidual)(problem, chunk, law, impulse, motions);
}

double DescribeContacts(const Span& problem, const BlockChunk& chunk, ContactLaw law,
                        const WrenchBlock* impulse, const BodyMotion* motions, uint8_t* modes) {
  return HWY_DYNAMIC_DISPATCH(DescribeContacts)(problem, chunk, law, impulse, motions, modes);
}

DrivingParts MeasureDriving(const Span& problem, const BlockChunk& chunk,
                            const BodyMotion* motions) {
  return HWY_DYNAMIC_DISPATCH(MeasureDriving)(problem, chunk, motions);
}

void CompleteBlocks(const Span& problem, const BlockChunk& chunk, const BodyMotion* motions,
                    bool projected, ContactBlock* blocks, WideBlock* wide,
                    ComplianceBlock* compliance) {
  HWY_DYNAMIC_DISPATCH(CompleteBlocks)
  (problem, chunk, motions, projected, blocks, wide, compliance);
}

}  // namespace talus::compliant
#endif
