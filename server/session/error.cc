#include "server/session/error.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/cord.h"
#include "solver/base/check.h"
#include "solver/base/field_error.h"

namespace talus {
namespace {

constexpr char kPayloadName[] = "talus/error-info";

void AppendInteger(int64_t value, std::string* out) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out->append(bytes, sizeof bytes);
}

void AppendText(const std::string& text, std::string* out) {
  AppendInteger(static_cast<int64_t>(text.size()), out);
  out->append(text);
}

// Both ends of the payload are this process, so its form is as plain as can be: integers in the
// machine's order, texts after their length, in the order of ErrorInfo.
std::string EncodeInfo(const ErrorInfo& info) {
  std::string out;
  AppendInteger(static_cast<int64_t>(info.reason), &out);
  AppendText(info.field, &out);
  AppendText(info.value, &out);
  AppendText(info.allowed, &out);
  AppendInteger(info.steps_done, &out);
  AppendInteger(info.step_index, &out);
  AppendText(info.limit_name, &out);
  AppendInteger(info.limit_value, &out);
  AppendInteger(info.retry_after_ms, &out);
  return out;
}

class InfoReader {
 public:
  explicit InfoReader(std::string_view bytes) : bytes_(bytes) {}

  int64_t Integer() {
    int64_t value = 0;
    TALUS_CHECK(bytes_.size() >= sizeof value);
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string Text() {
    const size_t size = static_cast<size_t>(Integer());
    TALUS_CHECK(bytes_.size() >= size);
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view bytes_;
};

ErrorInfo DecodeInfo(std::string_view bytes) {
  InfoReader reader(bytes);
  ErrorInfo info;
  info.reason = static_cast<ErrorReason>(reader.Integer());
  info.field = reader.Text();
  info.value = reader.Text();
  info.allowed = reader.Text();
  info.steps_done = reader.Integer();
  info.step_index = reader.Integer();
  info.limit_name = reader.Text();
  info.limit_value = reader.Integer();
  info.retry_after_ms = reader.Integer();
  return info;
}

ErrorReason ReasonOfCode(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kInvalidArgument:
      return ErrorReason::kInvalidField;
    case absl::StatusCode::kNotFound:
      return ErrorReason::kNotFound;
    case absl::StatusCode::kAlreadyExists:
      return ErrorReason::kDuplicateName;
    case absl::StatusCode::kResourceExhausted:
      return ErrorReason::kLimitReached;
    default:
      return ErrorReason::kUnspecified;
  }
}

absl::StatusCode WaitEndCode(ErrorReason reason) {
  return reason == ErrorReason::kCancelled ? absl::StatusCode::kCancelled
                                           : absl::StatusCode::kDeadlineExceeded;
}

absl::Status EndedWaitError(ErrorReason reason, const std::string& what, int64_t steps_done,
                            int64_t step_index) {
  ErrorInfo info;
  info.reason = reason;
  info.steps_done = steps_done;
  info.step_index = step_index;
  return MakeError(WaitEndCode(reason), what + "; steps done: " + std::to_string(steps_done), info);
}

}  // namespace

absl::Status MakeError(absl::StatusCode code, const std::string& message, const ErrorInfo& info) {
  TALUS_CHECK(code != absl::StatusCode::kOk);
  absl::Status status(code, message);
  status.SetPayload(kPayloadName, absl::Cord(EncodeInfo(info)));
  return status;
}

ErrorInfo FindErrorInfo(const absl::Status& status) {
  if (const auto payload = status.GetPayload(kPayloadName)) {
    return DecodeInfo(std::string(*payload));
  }
  ErrorInfo info;
  info.reason = ReasonOfCode(status.code());
  if (auto parts = GetFieldError(status)) {
    info.field = std::move(parts->field);
    info.value = std::move(parts->value);
    info.allowed = std::move(parts->allowed);
  }
  return info;
}

absl::Status WithStepsDone(const absl::Status& status, int64_t steps_done) {
  ErrorInfo info = FindErrorInfo(status);
  info.steps_done = steps_done;
  absl::Status result = status;
  result.SetPayload(kPayloadName, absl::Cord(EncodeInfo(info)));
  return result;
}

absl::Status InvalidFieldError(const std::string& field, const std::string& value,
                               const std::string& allowed) {
  ErrorInfo info;
  info.reason = ErrorReason::kInvalidField;
  info.field = field;
  info.value = value;
  info.allowed = allowed;
  return MakeError(absl::StatusCode::kInvalidArgument, field + " = " + value + " " + allowed, info);
}

absl::Status NotFoundError(const std::string& field, const std::string& name) {
  ErrorInfo info;
  info.reason = ErrorReason::kNotFound;
  info.field = field;
  info.value = name;
  return MakeError(absl::StatusCode::kNotFound, field + " = " + name + " does not exist", info);
}

absl::Status DuplicateNameError(const std::string& field, const std::string& name) {
  ErrorInfo info;
  info.reason = ErrorReason::kDuplicateName;
  info.field = field;
  info.value = name;
  return MakeError(absl::StatusCode::kAlreadyExists, field + " = " + name + " is taken", info);
}

absl::Status LimitError(const std::string& limit_name, int64_t limit_value, int64_t asked) {
  ErrorInfo info;
  info.reason = ErrorReason::kLimitReached;
  info.value = std::to_string(asked);
  info.allowed = "must be <= " + std::to_string(limit_value);
  info.limit_name = limit_name;
  info.limit_value = limit_value;
  return MakeError(absl::StatusCode::kResourceExhausted,
                   "limit " + limit_name + " = " + std::to_string(limit_value) +
                       " would be exceeded by " + std::to_string(asked),
                   info);
}

absl::Status MailboxFullError(int64_t depth, int64_t retry_after_ms) {
  ErrorInfo info;
  info.reason = ErrorReason::kMailboxFull;
  info.limit_name = "mailbox_depth";
  info.limit_value = depth;
  info.retry_after_ms = retry_after_ms;
  return MakeError(absl::StatusCode::kResourceExhausted,
                   "the scene's mailbox is full (mailbox_depth = " + std::to_string(depth) +
                       "); retry after " + std::to_string(retry_after_ms) + " ms",
                   info);
}

absl::Status PipelineFullError(int64_t depth) {
  ErrorInfo info;
  info.reason = ErrorReason::kMailboxFull;
  info.limit_name = "pipeline_depth";
  info.limit_value = depth;
  info.retry_after_ms = 1;
  return MakeError(absl::StatusCode::kResourceExhausted,
                   "pipeline_depth = " + std::to_string(depth) +
                       " requests wait for their answers; send the next when one has come",
                   info);
}

absl::Status LeaseHeldError(const std::string& holder) {
  ErrorInfo info;
  info.reason = ErrorReason::kLeaseHeld;
  info.value = holder;
  return MakeError(absl::StatusCode::kFailedPrecondition,
                   "the scene is under the control of " + holder +
                       "; change it under that lease, take it over, or wait until it ends",
                   info);
}

absl::Status LeaseLostError(const std::string& why) {
  ErrorInfo info;
  info.reason = ErrorReason::kLeaseLost;
  return MakeError(absl::StatusCode::kAborted, "the lease is lost: " + why, info);
}

absl::Status SceneRunningError() {
  ErrorInfo info;
  info.reason = ErrorReason::kSceneRunning;
  return MakeError(absl::StatusCode::kFailedPrecondition,
                   "the scene runs on its own; pause it before it is stepped", info);
}

absl::Status DeadlineMissedError(int64_t tick, int64_t step_index) {
  ErrorInfo info;
  info.reason = ErrorReason::kDeadlineMissed;
  info.step_index = step_index;
  return MakeError(absl::StatusCode::kDeadlineExceeded,
                   "no command had come when tick " + std::to_string(tick) + " was due", info);
}

absl::Status SceneFaultedError(const std::string& fault, int64_t step_index) {
  ErrorInfo info;
  info.reason = ErrorReason::kSceneFaulted;
  info.step_index = step_index;
  return MakeError(absl::StatusCode::kFailedPrecondition,
                   "the scene is FAULTED at step " + std::to_string(step_index) + ": " + fault,
                   info);
}

absl::Status SceneDeletedError(int64_t steps_done) {
  ErrorInfo info;
  info.reason = ErrorReason::kSceneDeleted;
  info.steps_done = steps_done;
  return MakeError(absl::StatusCode::kAborted, "the scene was deleted", info);
}

absl::Status DrainingError(int64_t steps_done) {
  ErrorInfo info;
  info.reason = ErrorReason::kDraining;
  info.steps_done = steps_done;
  // A drained server ends; by then another one, or its successor, listens.
  info.retry_after_ms = 1000;
  return MakeError(absl::StatusCode::kUnavailable, "the server drains", info);
}

absl::Status CancelledError(int64_t steps_done, int64_t step_index) {
  return EndedWaitError(ErrorReason::kCancelled, "the call was cancelled", steps_done, step_index);
}

absl::Status DeadlineError(int64_t steps_done, int64_t step_index) {
  return EndedWaitError(ErrorReason::kDeadline, "the deadline passed", steps_done, step_index);
}

absl::Status ValidateRequestId(const std::string& request_id) {
  constexpr size_t kLongest = 64;
  if (request_id.size() <= kLongest) return absl::OkStatus();
  return InvalidFieldError("request_id", std::to_string(request_id.size()) + " characters",
                           "must have at most 64");
}

absl::Status RequestIdReusedError(const std::string& request_id) {
  ErrorInfo info;
  info.reason = ErrorReason::kRequestIdReused;
  info.field = "request_id";
  info.value = request_id;
  info.allowed = "must belong to one request only";
  return MakeError(absl::StatusCode::kInvalidArgument,
                   "request_id = " + request_id + " came before with another request", info);
}

absl::Status UnauthenticatedError(bool token_sent) {
  ErrorInfo info;
  info.reason = ErrorReason::kUnauthenticated;
  info.field = "authorization";
  info.allowed = "must be `Bearer TOKEN` with a token that the server knows";
  return MakeError(absl::StatusCode::kUnauthenticated,
                   token_sent ? "the token is not known to this server"
                              : "this server asks for a token: metadata `authorization: Bearer "
                                "TOKEN`",
                   info);
}

absl::Status ScopeMissingError(const std::string& method, const std::string& client,
                               const std::string& has, const std::string& needs) {
  ErrorInfo info;
  info.reason = ErrorReason::kScopeMissing;
  info.field = "authorization";
  info.value = has;
  info.allowed = "must have scope " + needs;
  return MakeError(absl::StatusCode::kPermissionDenied,
                   method + " needs scope " + needs + ", the token of " + client + " has " + has,
                   info);
}

absl::Status BadSnapshotError(absl::StatusCode code, const std::string& message) {
  ErrorInfo info;
  info.reason = ErrorReason::kBadSnapshot;
  return MakeError(code, message, info);
}

absl::Status StorageError(absl::StatusCode code, const std::string& message) {
  ErrorInfo info;
  info.reason = ErrorReason::kStorage;
  // A disk that is full or away may be back; a server without one stays so.
  if (code == absl::StatusCode::kUnavailable) info.retry_after_ms = 1000;
  return MakeError(code, message, info);
}

absl::Status SlowWatcherError(const std::string& policy, int64_t queued,
                              const std::string& allowed) {
  ErrorInfo info;
  info.reason = ErrorReason::kSlowWatcher;
  info.field = "policy";
  info.value = policy;
  info.allowed = allowed;
  return MakeError(absl::StatusCode::kResourceExhausted,
                   "a watcher with policy " + policy + " " + allowed +
                       "; frames that waited: " + std::to_string(queued),
                   info);
}

absl::Status RecordingRunningError(const std::string& name) {
  ErrorInfo info;
  info.reason = ErrorReason::kRecordingRunning;
  info.field = "recording";
  info.value = name;
  info.allowed = "must be stopped first";
  return MakeError(absl::StatusCode::kFailedPrecondition,
                   name + " is under way; it must be stopped first", info);
}

absl::Status BadRecordingError(const std::string& message) {
  ErrorInfo info;
  info.reason = ErrorReason::kBadRecording;
  return MakeError(absl::StatusCode::kDataLoss, message, info);
}

}  // namespace talus
