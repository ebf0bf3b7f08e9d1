// One client's calls: made over its connection, cancelled or cut when the plan says so, counted,
// and judged: codes that mean a defect, and calls that do not end within their bound, are harm.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "clients/cpp/stub_call.h"
#include "tests/system/chaos/alarm_clock.h"
#include "tests/system/chaos/call_tally.h"
#include "tests/system/chaos/connection.h"
#include "tests/system/chaos/dice.h"

namespace talus::chaos {

// How a call is made. The default: patiently, to its end.
struct Manner {
  // A call that has not ended by itself after so long hangs, and that is harm.
  static constexpr int64_t kPatienceMs = 120'000;

  int64_t deadline_ms = kPatienceMs;
  int64_t cancel_after_ms = -1;
  int64_t kill_after_ms = -1;
  int64_t half_close_after_ms = -1;
  std::string lease{};
  bool nonsense = false;  // bytes that are no message: the server may say INTERNAL

  bool patient() const {
    return deadline_ms == kPatienceMs && cancel_after_ms < 0 && kill_after_ms < 0 &&
           half_close_after_ms < 0;
  }
};

// Mostly patient; else with a deadline, a cancellation or a cut at a random moment.
Manner DrawManner(Dice& dice);

class Caller {
 public:
  Caller(std::string address, AlarmClock& alarms, CallTally& tally)
      : address_(std::move(address)), alarms_(alarms), tally_(tally) {}

  // Cuts the connection; thread-safe within a call.
  void Kill() { connection_->Kill(); }
  void Disconnect() { connection_.reset(); }
  CallTally& tally() { return tally_; }
  const std::string& address() const { return address_; }
  // Of the last failure.
  const v1::ErrorDetail& detail() const { return detail_; }

  template <typename Stub, typename Request, typename Response>
  grpc::Status Call(Stub ServiceStubs::*stub,
                    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const char* rpc, const Request& request, Response* response,
                    const Manner& manner = {}) {
    return Make(rpc, manner, [&](grpc::ClientContext& context, ServiceStubs& stubs) {
      return ((stubs.*stub).*method)(&context, request, response);
    });
  }

  // A call of any form; `body` makes it and returns how it ended.
  using Body = std::function<grpc::Status(grpc::ClientContext&, ServiceStubs&)>;
  grpc::Status Make(const char* rpc, const Manner& manner, const Body& body);

 private:
  // Of a connection that is whole; a new one where the last was cut. Waits for the server.
  ServiceStubs& Connect();
  void Judge(const char* rpc, const Manner& manner, const grpc::Status& status, double ms);

  const std::string address_;
  AlarmClock& alarms_;
  CallTally& tally_;
  std::unique_ptr<Connection> connection_;
  v1::ErrorDetail detail_;
};

// The name of a method and the stub it belongs to, for Caller::Call.
#define TALUS_CHAOS_CALL(service, Service, Rpc) \
  &ServiceStubs::service, &v1::Service::Stub::Rpc, #Rpc

}  // namespace talus::chaos
