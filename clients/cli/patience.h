// Waiting for a server that asks to come back later: RESOURCE_EXHAUSTED with retry_after_ms, as of
// a full mailbox or a limit on the rate. Such a call has changed nothing, so that it is made again
// as it was.
#pragma once

#include <chrono>
#include <stop_token>
#include <utility>

#include "clients/cpp/result.h"

namespace talus::cli {

class Patience {
 public:
  // Waits `most` in all; a stop ends it.
  explicit Patience(std::stop_token stop = {},
                    std::chrono::milliseconds most = std::chrono::minutes{10})
      : stop_(std::move(stop)), left_(most) {}

  // Whether trying again later may help.
  static bool AsksToWait(const client::Error& error);

  // Waits as the error asks. False: trying again does not help, or there was waiting enough, or it
  // is to stop.
  bool Wait(const client::Error& error);

 private:
  std::stop_token stop_;
  std::chrono::milliseconds left_;
};

// The answer of `call`, made again for as long as the patience lasts.
template <typename Call>
auto Patiently(Patience patience, Call call) -> decltype(call()) {
  while (true) {
    auto answer = call();
    if (answer.ok() || !patience.Wait(answer.error())) return answer;
  }
}

}  // namespace talus::cli
