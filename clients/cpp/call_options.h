// How long a call may take and how to stop it. Part of every call of the client; a default one
// waits 60 s and cannot be stopped.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

namespace talus::client {

struct CallOptions {
  // Deadline from the moment of the call; zero or less: none.
  std::chrono::milliseconds timeout{60000};
  // Cancels the call when its source asks for a stop; the call then ends with Code::kCancelled.
  std::stop_token stop{};
  // Under which the call changes a scene that Control holds: Control::lease(). Empty: none.
  std::string lease{};
};

}  // namespace talus::client
