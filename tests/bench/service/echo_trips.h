// Round trips to the bare echo: the floor of a unary call and of a stream.
#pragma once

#include <grpcpp/channel.h>

#include <cstdint>
#include <memory>

#include "tests/bench/service/round_trip.h"

namespace talus::bench {

// Sixteen bytes go out; `reply_bytes` come back, or the sixteen when it is 0.
std::unique_ptr<RoundTrip> MakeEchoUnary(const std::shared_ptr<grpc::Channel>& channel,
                                         uint32_t reply_bytes);
std::unique_ptr<RoundTrip> MakeEchoStream(const std::shared_ptr<grpc::Channel>& channel,
                                          uint32_t reply_bytes);

}  // namespace talus::bench
