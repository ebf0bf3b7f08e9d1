// Events of a scene as lines: text for people, a JSON value a line for programs. It does not print.
#pragma once

#include <cstdint>
#include <string>

#include "talus/v1/stream_service.pb.h"

namespace talus::cli {

// `contact-begin` of EVENT_KIND_CONTACT_BEGIN; the number of a kind that has no name here.
std::string NameOf(v1::EventKind kind);

// A line an event. Before them, where events were lost because this end was slow, a line that
// counts those: `{"lost_since_last":"N"}` in JSON.
std::string EventLines(const v1::WatchEventsResponse& batch, bool json);

}  // namespace talus::cli
