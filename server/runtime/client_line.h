// Calls that wait for a thread, of several clients who take turns: first the one whose last turn,
// or who came without having any, is longest ago, and of each client's calls the one that came
// first. A client has one call at work at most.
//
// A bounded number of calls is held. Where all places are taken, whoever holds most of them by more
// than one gives up the call that came last, so that nobody can take all.
// Not thread-safe: its owner has the lock.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace talus {

// One of the two is called, once.
struct LineCall {
  std::function<void()> run;
  std::function<void(absl::Status)> refuse;
};

class ClientLine {
 public:
  // `depth` >= 1: calls held, those at work included.
  explicit ClientLine(int64_t depth) : depth_(depth) {}

  // The call that has no place, if any: this one or another that gave up its own for it.
  std::optional<LineCall> Add(const std::string& client, LineCall call);
  struct Turn {
    std::string client;
    LineCall call;
  };
  // The next call, which is at work from now on; none where nobody waits but clients at work.
  std::optional<Turn> TakeNext();
  // The call of `client` that was at work has ended.
  void EndTurn(const std::string& client);
  // All that wait; they have no place any more.
  std::vector<LineCall> TakeWaiting();

  // Calls that wait or are at work.
  int64_t held() const { return held_; }

 private:
  struct Client {
    std::deque<LineCall> waiting;
    bool at_work = false;
    int64_t since = 0;  // his last turn, or when he came without a call; in the order of all these

    int64_t held() const { return static_cast<int64_t>(waiting.size()) + (at_work ? 1 : 0); }
  };

  void ForgetIdle(std::map<std::string, Client>::iterator client);

  const int64_t depth_;
  int64_t held_ = 0;
  int64_t events_ = 0;                     // turns and comings so far
  std::map<std::string, Client> clients_;  // who holds a call
};

}  // namespace talus
