// Steps between the wire and the middle ring: what Step, StepUntil and BatchStep have in common.
#pragma once

#include "absl/status/statusor.h"
#include "server/runtime/scene_calls.h"
#include "server/wire/frame_codec.h"
#include "talus/v1/simulation_service.pb.h"

namespace talus::rpc {

// Of the field `problem_capture`. INVALID_ARGUMENT: it is none.
absl::StatusOr<ProblemCapture> DecodeCapture(v1::ProblemCapture capture);

// Errors as of DecodeCapture.
absl::StatusOr<StepCall> DecodeStep(const v1::StepRequest& request);
// `most`: what a step_count of 0 stands for.
absl::StatusOr<StepCall> DecodeStepUntil(const v1::StepUntilRequest& request, int64_t most);

// `view`: of the bodies that the answer selects.
void EncodeStepAnswer(const StepAnswer& answer, wire::FrameView view, v1::StepResponse& response);
v1::StopReason EncodeStopReason(StopReason reason);

}  // namespace talus::rpc
