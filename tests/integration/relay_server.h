// A server that stands before another and passes unary calls on, except where it is told to lie
// about steps: what a client sees of a simulator that answers early or steps too little.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

namespace talus::testing {

enum class Lie {
  kNone,
  kOneStepLess,    // of a Step of several, one is not made and not claimed
  kClaimsOneMore,  // one is not made, and claimed
  kAnswersEarly,   // none is made yet, and all are claimed
};

class RelayServer {
 public:
  // Passes calls on to `behind`.
  RelayServer(const std::shared_ptr<grpc::Channel>& behind, Lie lie);
  ~RelayServer();

  const std::string& address() const { return address_; }

 private:
  class Service;
  std::unique_ptr<Service> service_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

}  // namespace talus::testing
