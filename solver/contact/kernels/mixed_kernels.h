// The kernels of block_kernels.h for blocks of floats: computed in double precision all the same.
#pragma once

#include "solver/contact/kernels/block_kernels.h"

namespace talus::mixed {

using Span = BlockSpanOf<double, float>;
using Sweep = SweepBlocksOf<Span, double>;

SweepChange SweepAlartCurnier(const Sweep& sweep, const BlockChunk& chunk);
SweepChange SweepProjected(const Sweep& sweep, const BlockChunk& chunk);
void AddImpulses(const Span& problem, const BlockChunk& chunk, const WrenchBlock* impulse,
                 const WrenchBlock* from, BodyMotion* motions);
void FindLocalVelocities(const Span& problem, const BlockChunk& chunk, const WrenchBlock* impulse,
                         const BodyMotion* motions, WrenchBlock* velocity);
void FindWeights(const Span& problem, const BlockChunk& chunk, const BodyMotion* motions,
                 PartBlock* weights);
void ProjectImpulses(const Span& problem, const BlockChunk& chunk, double step,
                     const BodyMotion* motions, const WrenchBlock* velocity, WrenchBlock* impulse);
ResidualParts MeasureResidual(const Span& problem, const BlockChunk& chunk, ContactLaw law,
                              const WrenchBlock* impulse, const BodyMotion* motions);
double DescribeContacts(const Span& problem, const BlockChunk& chunk, ContactLaw law,
                        const WrenchBlock* impulse, const BodyMotion* motions, uint8_t* modes);
DrivingParts MeasureDriving(const Span& problem, const BlockChunk& chunk,
                            const BodyMotion* motions);
void CompleteBlocks(const Span& problem, const BlockChunk& chunk, const BodyMotion* motions,
                    bool projected, ContactBlockOf<float>* blocks, WideBlockOf<float>* wide);

}  // namespace talus::mixed
