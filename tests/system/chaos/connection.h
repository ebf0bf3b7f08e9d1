// A client's connection to the server, over a socket that can be cut in the middle of anything:
// killed, or closed on one side only.
#pragma once

#include <grpcpp/channel.h>

#include <atomic>
#include <memory>
#include <string>

#include "clients/cpp/stubs.h"

namespace talus::chaos {

using client::ServiceStubs;

// A connected TCP socket, -1 when the server does not answer. `address` is IPv4:PORT.
int OpenSocket(const std::string& address);

class Connection {
 public:
  explicit Connection(const std::string& address);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool connected() const { return socket_ >= 0; }
  // Thread-safe: nothing goes either way any more.
  void Kill();
  // Thread-safe: the server reads the end of the connection, and what it sends is still taken.
  void HalfClose();
  // Somebody cut it: calls may end with UNAVAILABLE, and a new one is needed.
  bool cut() const { return cut_; }
  ServiceStubs& stubs() { return *stubs_; }

 private:
  int socket_;  // a second name of the channel's own
  std::atomic<bool> cut_ = false;
  std::unique_ptr<ServiceStubs> stubs_;
};

}  // namespace talus::chaos
