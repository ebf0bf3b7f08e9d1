// What a caller asks of a Control stream, as the session takes it: the opening with its defaults,
// and the steps that follow.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "server/runtime/control_session.h"
#include "server/session/limits.h"
#include "server/wire/frame_codec.h"
#include "talus/v1/control.pb.h"

namespace talus::rpc {

// INVALID_ARGUMENT naming the field. `peer` holds the lease where the caller does not say who does.
absl::StatusOr<ControlOptions> DecodeControlOpen(const v1::ControlOpen& open,
                                                 const std::string& peer, const Limits& limits);
wire::FrameView DecodeControlView(const v1::ControlOpen& open);
ControlCall DecodeControlStep(const v1::ControlStep& step);

}  // namespace talus::rpc
