#include "server/rpc/status.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "server/rpc/call_counts.h"
#include "server/rpc/limit_counts.h"
#include "server/session/error.h"
#include "server/telemetry/log.h"

namespace talus::rpc {
namespace {

// ErrorReason and talus.v1.ErrorReason share their numbers; a new reason must be given in both.
static_assert(static_cast<int>(ErrorReason::kBadRecording) == v1::ErrorReason_MAX);
static_assert(static_cast<int>(ErrorReason::kSceneDeleted) == v1::ERROR_REASON_SCENE_DELETED);
static_assert(static_cast<int>(ErrorReason::kMailboxFull) == v1::ERROR_REASON_MAILBOX_FULL);

// absl and gRPC number the canonical codes alike.
static_assert(static_cast<int>(absl::StatusCode::kUnauthenticated) ==
              static_cast<int>(grpc::StatusCode::UNAUTHENTICATED));

// Metadata share a budget of 8 KiB with everything else in the trailer.
constexpr size_t kLongestText = 1024;
constexpr size_t kLongestRequestId = 128;

std::string Shorten(std::string text) {
  if (text.size() <= kLongestText) return text;
  // Not in the middle of a UTF-8 sequence: protobuf strings must be valid.
  size_t size = kLongestText;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  text.resize(size);
  return text + "...";
}

void EncodeDetail(const ErrorInfo& info, v1::ErrorDetail& detail) {
  CountRefusal(info.limit_name);
  detail.set_reason(static_cast<v1::ErrorReason>(info.reason));
  detail.set_field(Shorten(info.field));
  detail.set_value(Shorten(info.value));
  detail.set_allowed(Shorten(info.allowed));
  detail.set_steps_done(info.steps_done);
  detail.set_step_index(info.step_index);
  detail.set_limit_name(info.limit_name);
  detail.set_limit_value(info.limit_value);
  detail.set_retry_after_ms(info.retry_after_ms);
}

std::string FindRequestId(const grpc::CallbackServerContext& context) {
  static std::atomic<uint64_t> next{1};
  std::string chosen = ChosenRequestId(context);
  if (!chosen.empty()) return chosen;
  return "r-" + std::to_string(next.fetch_add(1, std::memory_order_relaxed));
}

telemetry::LogLevel LevelOf(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kDataLoss:
      return telemetry::LogLevel::kError;
    case absl::StatusCode::kCancelled:  // the caller knows, and streams end this way all the time
      return telemetry::LogLevel::kDebug;
    default:
      return telemetry::LogLevel::kWarning;
  }
}

}  // namespace

std::string ChosenRequestId(const grpc::CallbackServerContext& context) {
  const auto chosen = context.client_metadata().find(kChosenRequestIdKey);
  if (chosen == context.client_metadata().end() || chosen->second.size() > kLongestRequestId) {
    return {};
  }
  return std::string(chosen->second.data(), chosen->second.size());
}

grpc::Status EncodeStatus(const absl::Status& status, std::string_view method,
                          grpc::CallbackServerContext& context) {
  CountCall(method, status.code());
  if (status.ok()) return grpc::Status::OK;
  const ErrorInfo info = FindErrorInfo(status);
  const std::string request_id = FindRequestId(context);
  const std::string message = Shorten(std::string(status.message()));
  v1::ErrorDetail detail;
  EncodeDetail(info, detail);
  context.AddTrailingMetadata(kErrorDetailKey, detail.SerializeAsString());
  context.AddTrailingMetadata(kRequestIdKey, request_id);
  const telemetry::LogLevel level = LevelOf(status.code());
  if (telemetry::IsLogged(level)) {
    telemetry::Log(level, "call failed",
                   {{"method", std::string(method)},
                    {"request_id", request_id},
                    {"code", absl::StatusCodeToString(status.code())},
                    {"message", message},
                    {"peer", context.peer()}});
  }
  return grpc::Status(static_cast<grpc::StatusCode>(status.raw_code()), message);
}

void EncodeErrorStatus(const absl::Status& status, v1::ErrorStatus& message) {
  message.set_code(status.raw_code());
  message.set_message(Shorten(std::string(status.message())));
  EncodeDetail(FindErrorInfo(status), *message.mutable_detail());
}

}  // namespace talus::rpc
