#include "solver/contact/kernels/block_kernels.h"

// Once for each instruction set: this file, and with it the -inl headers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solver/contact/kernels/block_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "solver/contact/kernels/complete-inl.h"

#if HWY_ONCE
namespace talus {

HWY_EXPORT(SweepAlartCurnier);
HWY_EXPORT(SweepProjected);
HWY_EXPORT(AddImpulses);
HWY_EXPORT(FindLocalVelocities);
HWY_EXPORT(FindWeights);
HWY_EXPORT(ProjectImpulses);
HWY_EXPORT(MeasureResidual);
HWY_EXPORT(DescribeContacts);
HWY_EXPORT(MeasureDriving);
HWY_EXPORT(CompleteBlocks);

SweepChange SweepAlartCurnier(const SweepBlocks& sweep, const BlockChunk& chunk) {
  return HWY_DYNAMIC_DISPATCH(SweepAlartCurnier)(sweep, chunk);
}

SweepChange SweepProjected(const SweepBlocks& sweep, const BlockChunk& chunk) {
  return HWY_DYNAMIC_DISPATCH(SweepProjected)(sweep, chunk);
}

void AddImpulses(const BlockSpan& problem, const BlockChunk& chunk, const WrenchBlock* impulse,
                 const WrenchBlock* from, BodyMotion* motions) {
  HWY_DYNAMIC_DISPATCH(AddImpulses)(problem, chunk, impulse, from, motions);
}

void FindLocalVelocities(const BlockSpan& problem, const BlockChunk& chunk,
                         const BodyMotion* motions, WrenchBlock* velocity) {
  HWY_DYNAMIC_DISPATCH(FindLocalVelocities)(problem, chunk, motions, velocity);
}

void FindWeights(const BlockSpan& problem, const BlockChunk& chunk, const BodyMotion* motions,
                 PartBlock* weights) {
  HWY_DYNAMIC_DISPATCH(FindWeights)(problem, chunk, motions, weights);
}

void ProjectImpulses(const BlockSpan& problem, const BlockChunk& chunk, double step,
                     const BodyMotion* motions, const WrenchBlock* velocity, WrenchBlock* impulse) {
  HWY_DYNAMIC_DISPATCH(ProjectImpulses)(problem, chunk, step, motions, velocity, impulse);
}

ResidualParts MeasureResidual(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                              const WrenchBlock* impulse, const BodyMotion* motions) {
  return HWY_DYNAMIC_DISPATCH(MeasureResidual)(problem, chunk, law, impulse, motions);
}

double DescribeContacts(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                        const WrenchBlock* impulse, const BodyMotion* motions, uint8_t* modes) {
  return HWY_DYNAMIC_DISPATCH(DescribeContacts)(problem, chunk, law, impulse, motions, modes);
}

DrivingParts MeasureDriving(const BlockSpan& problem, const BlockChunk& chunk,
                            const BodyMotion* motions) {
  return HWY_DYNAMIC_DISPATCH(MeasureDriving)(problem, chunk, motions);
}

void CompleteBlocks(const BlockSpan& problem, const BlockChunk& chunk, const BodyMotion* motions,
                    bool projected, ContactBlock* blocks, WideBlock* wide) {
  HWY_DYNAMIC_DISPATCH(CompleteBlocks)(problem, chunk, motions, projected, blocks, wide);
}

std::vector<std::string_view> KernelTargets() {
  std::vector<std::string_view> names;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.push_back(hwy::TargetName(target));
  }
  return names;
}

void UseKernelTarget(std::string_view name) {
  int64_t targets = 0;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (hwy::TargetName(target) == name) targets = target;
  }
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace talus
#endif
