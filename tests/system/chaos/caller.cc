#include "tests/system/chaos/caller.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

namespace talus::chaos {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// After its own deadline a call may take so long to come back on a busy machine.
constexpr double kGraceMs = 60'000.0;

}  // namespace

Manner DrawManner(Dice& dice) {
  Manner manner;
  const int64_t kind = dice.Draw(0, 99);
  const int64_t moment = dice.Once(2) ? dice.Draw(0, 5) : dice.Draw(0, 400);
  if (kind < 12) manner.deadline_ms = moment;
  if (kind >= 12 && kind < 24) manner.cancel_after_ms = moment;
  if (kind >= 24 && kind < 28) manner.kill_after_ms = moment;
  if (kind >= 28 && kind < 31) manner.half_close_after_ms = moment;
  return manner;
}

ServiceStubs& Caller::Connect() {
  const Clock::time_point end = Clock::now() + milliseconds(Manner::kPatienceMs);
  if (connection_ == nullptr || connection_->cut()) {
    connection_ = std::make_unique<Connection>(address_);
    while (!connection_->connected() && Clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(20));
      connection_ = std::make_unique<Connection>(address_);
    }
    if (!connection_->connected()) {
      // Nothing can be proved any more, and every client would tell the same.
      std::fprintf(stderr, "chaos: the server does not accept connections\n");
      std::_Exit(1);
    }
  }
  return connection_->stubs();
}

grpc::Status Caller::Make(const char* rpc, const Manner& manner, const Body& body) {
  ServiceStubs& stubs = Connect();
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + milliseconds(manner.deadline_ms));
  if (!manner.lease.empty()) context.AddMetadata(client::kLeaseKey, manner.lease);
  const Clock::time_point start = Clock::now();
  grpc::Status status;
  {
    std::optional<AlarmClock::Alarm> cancel;
    std::optional<AlarmClock::Alarm> kill;
    std::optional<AlarmClock::Alarm> half_close;
    if (manner.cancel_after_ms >= 0) {
      cancel.emplace(alarms_, milliseconds(manner.cancel_after_ms), [&] { context.TryCancel(); });
    }
    if (manner.kill_after_ms >= 0) {
      kill.emplace(alarms_, milliseconds(manner.kill_after_ms), [&] { connection_->Kill(); });
    }
    if (manner.half_close_after_ms >= 0) {
      half_close.emplace(alarms_, milliseconds(manner.half_close_after_ms),
                         [&] { connection_->HalfClose(); });
    }
    status = body(context, stubs);
  }
  detail_ = status.ok() ? v1::ErrorDetail() : client::DecodeError(status, context).detail;
  Judge(rpc, manner, status,
        std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  return status;
}

void Caller::Judge(const char* rpc, const Manner& manner, const grpc::Status& status, double ms) {
  tally_.Count(rpc, status.error_code(), ms);
  const auto blame = [&](const std::string& what) {
    tally_.Blame(std::string(rpc) + ": " + what + " (code " + std::to_string(status.error_code()) +
                 ", " + std::to_string(ms) + " ms: " + status.error_message() + ")");
  };
  if (ms > static_cast<double>(manner.deadline_ms) + kGraceMs)
    blame("ended long after its deadline");
  switch (status.error_code()) {
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::UNIMPLEMENTED:
      // A connection that was cut in a message ends calls with one of these on the client's side.
      if (!manner.nonsense && !connection_->cut()) blame("a defect of the server");
      break;
    case grpc::StatusCode::DATA_LOSS:
      blame("a stored file is damaged");
      break;
    case grpc::StatusCode::UNAVAILABLE:
      if (!connection_->cut()) blame("the server went away");
      break;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      // A stream has deadlines of its own, which pass sooner.
      if (manner.patient() && ms >= static_cast<double>(manner.deadline_ms)) blame("hangs");
      break;
    default:
      break;
  }
}

}  // namespace talus::chaos
