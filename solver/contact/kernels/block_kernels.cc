#include "solver/contact/kernels/block_kernels.h"

#include "solver/contact/kernels/compliant_kernels.h"
#include "solver/contact/kernels/mixed_kernels.h"

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

namespace {

template <typename Span>
SweepBlocksOf<Span, double> Of(const Span& problem, const SweepBlocks& sweep) {
  return {problem,    sweep.motions,   sweep.last,       sweep.before_last,
          sweep.beta, sweep.extra_gap, sweep.local_steps};
}
auto OfDoubles(const SweepBlocks& sweep) { return Of(sweep.problem.doubles, sweep); }
auto OfFloats(const SweepBlocks& sweep) { return Of(sweep.problem.floats, sweep); }

}  // namespace

SweepChange SweepAlartCurnier(const SweepBlocks& sweep, const BlockChunk& chunk) {
  if (sweep.problem.has_floats()) return mixed::SweepAlartCurnier(OfFloats(sweep), chunk);
  if (sweep.problem.compliant()) return compliant::SweepAlartCurnier(OfDoubles(sweep), chunk);
  return HWY_DYNAMIC_DISPATCH(SweepAlartCurnier)(OfDoubles(sweep), chunk);
}

SweepChange SweepProjected(const SweepBlocks& sweep, const BlockChunk& chunk) {
  if (sweep.problem.has_floats()) return mixed::SweepProjected(OfFloats(sweep), chunk);
  if (sweep.problem.compliant()) return compliant::SweepProjected(OfDoubles(sweep), chunk);
  return HWY_DYNAMIC_DISPATCH(SweepProjected)(OfDoubles(sweep), chunk);
}

void AddImpulses(const BlockSpan& problem, const BlockChunk& chunk, const WrenchBlock* impulse,
                 const WrenchBlock* from, BodyMotion* motions) {
  if (problem.has_floats())
    return mixed::AddImpulses(problem.floats, chunk, impulse, from, motions);
  HWY_DYNAMIC_DISPATCH(AddImpulses)(problem.doubles, chunk, impulse, from, motions);
}

void FindLocalVelocities(const BlockSpan& problem, const BlockChunk& chunk,
                         const WrenchBlock* impulse, const BodyMotion* motions,
                         WrenchBlock* velocity) {
  if (problem.has_floats())
    return mixed::FindLocalVelocities(problem.floats, chunk, impulse, motions, velocity);
  if (problem.compliant())
    return compliant::FindLocalVelocities(problem.doubles, chunk, impulse, motions, velocity);
  HWY_DYNAMIC_DISPATCH(FindLocalVelocities)(problem.doubles, chunk, impulse, motions, velocity);
}

void FindWeights(const BlockSpan& problem, const BlockChunk& chunk, const BodyMotion* motions,
                 PartBlock* weights) {
  if (problem.has_floats()) return mixed::FindWeights(problem.floats, chunk, motions, weights);
  if (problem.compliant()) return compliant::FindWeights(problem.doubles, chunk, motions, weights);
  HWY_DYNAMIC_DISPATCH(FindWeights)(problem.doubles, chunk, motions, weights);
}

void ProjectImpulses(const BlockSpan& problem, const BlockChunk& chunk, double step,
                     const BodyMotion* motions, const WrenchBlock* velocity, WrenchBlock* impulse) {
  if (problem.has_floats())
    return mixed::ProjectImpulses(problem.floats, chunk, step, motions, velocity, impulse);
  if (problem.compliant())
    return compliant::ProjectImpulses(problem.doubles, chunk, step, motions, velocity, impulse);
  HWY_DYNAMIC_DISPATCH(ProjectImpulses)(problem.doubles, chunk, step, motions, velocity, impulse);
}

ResidualParts MeasureResidual(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                              const WrenchBlock* impulse, const BodyMotion* motions) {
  if (problem.has_floats())
    return mixed::MeasureResidual(problem.floats, chunk, law, impulse, motions);
  if (problem.compliant())
    return compliant::MeasureResidual(problem.doubles, chunk, law, impulse, motions);
  return HWY_DYNAMIC_DISPATCH(MeasureResidual)(problem.doubles, chunk, law, impulse, motions);
}

double DescribeContacts(const BlockSpan& problem, const BlockChunk& chunk, ContactLaw law,
                        const WrenchBlock* impulse, const BodyMotion* motions, uint8_t* modes) {
  if (problem.has_floats())
    return mixed::DescribeContacts(problem.floats, chunk, law, impulse, motions, modes);
  if (problem.compliant())
    return compliant::DescribeContacts(problem.doubles, chunk, law, impulse, motions, modes);
  return HWY_DYNAMIC_DISPATCH(DescribeContacts)(problem.doubles, chunk, law, impulse, motions,
                                                modes);
}

DrivingParts MeasureDriving(const BlockSpan& problem, const BlockChunk& chunk,
                            const BodyMotion* motions) {
  if (problem.has_floats()) return mixed::MeasureDriving(problem.floats, chunk, motions);
  if (problem.compliant()) return compliant::MeasureDriving(problem.doubles, chunk, motions);
  return HWY_DYNAMIC_DISPATCH(MeasureDriving)(problem.doubles, chunk, motions);
}

void CompleteBlocks(const BlockSpanOf<double, double>& problem, const BlockChunk& chunk,
                    const BodyMotion* motions, bool projected, ContactBlock* blocks,
                    WideBlock* wide, ComplianceBlock* compliance) {
  if (compliance != nullptr)
    return compliant::CompleteBlocks(problem, chunk, motions, projected, blocks, wide, compliance);
  HWY_DYNAMIC_DISPATCH(CompleteBlocks)
  (problem, chunk, motions, projected, blocks, wide, compliance);
}

void CompleteBlocks(const BlockSpanOf<double, float>& problem, const BlockChunk& chunk,
                    const BodyMotion* motions, bool projected, ContactBlockOf<float>* blocks,
                    WideBlockOf<float>* wide) {
  mixed::CompleteBlocks(problem, chunk, motions, projected, blocks, wide);
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
