// The kernels of block_kernels.h for problems whose contacts give way, in blocks of doubles.
#pragma once

#include "solver/contact/kernels/block_kernels.h"

namespace talus::compliant {

using Span = BlockSpanOf<double, double>;
using Sweep = SweepBlocksOf<Span, double>;

SweepChange SweepAlartCurnier(const Sweep& sweep, const BlockChunk& chunk);
SweepChange SweepProjected(const Sweep& sweep, const BlockChunk& chunk);
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
                    bool projected, ContactBlock* blocks, WideBlock* wide,
                    ComplianceBlock* compliance);

}  // namespace talus::compliant
