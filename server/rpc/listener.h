// Takes the connections that come to the server's addresses and hands them on, on a thread of its
// own.
//
// gRPC's own listener gives up for good when the process has no descriptor left for a connection
// (1.51, "Failed accept4"), and knows no bound of connections. This one waits until there is a
// descriptor again. It knows nothing of what is spoken on a connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "server/rpc/listening_socket.h"

namespace talus::rpc {

class Listener {
 public:
  struct Place {
    ListeningSocket socket;
    // Gets each connection that comes there, and closes it when it is done. Called on the
    // listener's thread, which meanwhile takes no other.
    std::function<void(int connection)> take;
  };

  // Takes connections from now on, and at most `most` at once: one more is closed as it comes. So
  // is one that would leave the process few descriptors for files. RESOURCE_EXHAUSTED where there
  // is not even one for itself.
  static absl::StatusOr<std::unique_ptr<Listener>> Start(std::vector<Place> places, int64_t most);
  ~Listener();  // stops

  // Takes no connection any more, and closes the sockets. Those handed over stay. Idempotent.
  void Stop();

 private:
  Listener(std::vector<Place> places, int64_t most, int wake);
  void Run();
  void TakeNext(const Place& place);
  bool HasRoomFor(int connection);
  void ForgetClosed();
  void Warn(const char* why);
  void Rest() const;

  std::vector<Place> places_;
  const int64_t most_;
  const int wake_;  // readable when the thread is to end
  // The thread's own: descriptor -> inode of what was handed over and was not seen closed yet.
  std::map<int, uint64_t> handed_over_;
  int64_t refused_ = 0;  // since the last warning
  std::chrono::steady_clock::time_point next_warning_;
  std::thread thread_;
};

}  // namespace talus::rpc
