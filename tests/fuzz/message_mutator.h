// Changes messages field by field: what comes out is always a message of the same type, and most
// often one that a reader gets further with than with changed bytes.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace talus::fuzz {

// The text form of `text`'s message after one to four changes chosen by `seed`: fields are set to
// values at the edge of what they take, cleared, copied, put in another order. What is no message
// counts as an empty one.
std::string MutateText(std::string_view text, const google::protobuf::Message& prototype,
                       uint32_t seed);

}  // namespace talus::fuzz
