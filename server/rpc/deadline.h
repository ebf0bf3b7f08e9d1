// The caller's deadline as the middle ring needs it: a moment of its clock, early enough for the
// answer to arrive.
#pragma once

#include <grpcpp/server_context.h>

#include "server/runtime/clock.h"

namespace talus::rpc {

// A little before the deadline the caller gave (a tenth of the time left, at most 50 ms): the
// caller's own timer rings at the deadline and throws away whatever arrives later, so an answer
// that tells how many steps were done must be on its way before. No deadline: TimePoint::max().
Clock::TimePoint FindDeadline(const grpc::CallbackServerContext& context);

}  // namespace talus::rpc
