// How many requests were refused by which limit, since the process began.
//
// Counted where an error gets its detail (status.cc): calls that failed, and requests of streams
// and batches that were told so in their answer. What gRPC itself refuses (message_bytes) never
// comes here. Of the process and not of a server, like the counts of calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace talus::rpc {

// Those of talus.v1.Limits.
const std::vector<std::string>& LimitNames();

// Other names are not counted: a bound that is no option has none.
void CountRefusal(std::string_view limit_name);
int64_t RefusalsBy(std::string_view limit_name);

}  // namespace talus::rpc
