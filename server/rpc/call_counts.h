// How many calls of each RPC ended with which code, since the process began.
//
// Counted where a status is made (status.cc), read by the page of metrics. One relaxed addition a
// call. Of the process and not of a server, like the log: a process serves once.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "server/rpc/access_table.h"

namespace talus::rpc {

inline constexpr int kCodeCount = 17;  // OK to UNAUTHENTICATED

// `method` as in the table of access; others are not counted.
void CountCall(std::string_view method, absl::StatusCode code);
int64_t CallsEnded(const RpcAccess& rpc, absl::StatusCode code);

}  // namespace talus::rpc
