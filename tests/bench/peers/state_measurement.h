// Steps a state in an engine and fills a row: the times without the reading of impulses, and the
// worst residual of the steps that were timed.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/peers/peer_engine.h"
#include "tests/bench/peers/peer_row.h"

namespace talus::peers {

struct MeasureOptions {
  EngineOptions engine;
  int warmup = 5;  // steps before the measured ones, for the engine to find its own contacts
  int steps = 10;  // >= 1
};

// `last` is the record of the last step.
absl::StatusOr<PeerRow> MeasureState(const PeerState& state, const MeasureOptions& options,
                                     StepRecord& last);

}  // namespace talus::peers
