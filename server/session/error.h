// What an expected failure of the server says beside its code and message: the reason, and the
// numbers a program needs to act on it.
//
// Mirrors talus.v1.ErrorDetail without knowing protobuf. It rides inside an absl::Status as a
// payload, so every layer passes it on by passing the Status on; server/rpc/status.cc is the one
// place that unpacks it for the wire.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace talus {

// The numbers are those of talus.v1.ErrorReason.
enum class ErrorReason : int32_t {
  kUnspecified = 0,
  kInvalidField = 1,
  kNotFound = 2,
  kDuplicateName = 3,
  kStepIndexMismatch = 4,
  kSceneFaulted = 5,
  kLimitReached = 6,
  kMailboxFull = 7,
  kDeadline = 8,
  kCancelled = 9,
  kSceneDeleted = 10,
  kDraining = 11,
  kBadSnapshot = 12,
  kRequestIdReused = 13,
  kStorage = 14,
  kLeaseHeld = 15,
  kLeaseLost = 16,
  kSceneRunning = 17,
  kDeadlineMissed = 18,
  kSlowWatcher = 19,
  kUnauthenticated = 20,
  kScopeMissing = 21,
  kRecordingRunning = 22,
  kBadRecording = 23,
};

struct ErrorInfo {
  ErrorReason reason = ErrorReason::kUnspecified;
  std::string field;           // path of the offending field, as in `bodies[3].mass_kg`
  std::string value;           // the value that was met
  std::string allowed;         // what would have been allowed, as in `must be > 0`
  int64_t steps_done = 0;      // steps completed before the call ended
  int64_t step_index = 0;      // the scene's step index now, where that is the question
  std::string limit_name;      // as in GetServerInfo
  int64_t limit_value = 0;     // its value
  int64_t retry_after_ms = 0;  // 0: trying again does not help

  bool operator==(const ErrorInfo&) const = default;
};

// A failed Status that carries `info`. `code` must not be OK.
absl::Status MakeError(absl::StatusCode code, const std::string& message, const ErrorInfo& info);

// The info a Status carries. A Status of the solver, which knows no reasons, gets the reason that
// belongs to its code and the field, value and range the solver named.
ErrorInfo FindErrorInfo(const absl::Status& status);

// The same failure with `steps_done` filled in.
absl::Status WithStepsDone(const absl::Status& status, int64_t steps_done);

// The failures that several places of the server report, each with its code, message and reason.
absl::Status InvalidFieldError(const std::string& field, const std::string& value,
                               const std::string& allowed);
absl::Status NotFoundError(const std::string& field, const std::string& name);
absl::Status DuplicateNameError(const std::string& field, const std::string& name);
absl::Status LimitError(const std::string& limit_name, int64_t limit_value, int64_t asked);
absl::Status MailboxFullError(int64_t depth, int64_t retry_after_ms);
// As many requests of one Control as `pipeline_depth` wait for their answers.
absl::Status PipelineFullError(int64_t depth);
absl::Status LeaseHeldError(const std::string& holder);
// ABORTED: who had the lease has it no more, and why.
absl::Status LeaseLostError(const std::string& why);
absl::Status SceneRunningError();
// The server's tick came and no command had; `tick` counts from 1.
absl::Status DeadlineMissedError(int64_t tick, int64_t step_index);
absl::Status SceneFaultedError(const std::string& fault, int64_t step_index);
absl::Status SceneDeletedError(int64_t steps_done = 0);
absl::Status DrainingError(int64_t steps_done = 0);
absl::Status CancelledError(int64_t steps_done = 0, int64_t step_index = 0);
absl::Status DeadlineError(int64_t steps_done = 0, int64_t step_index = 0);
// INVALID_ARGUMENT unless `request_id` has at most 64 bytes.
absl::Status ValidateRequestId(const std::string& request_id);
absl::Status RequestIdReusedError(const std::string& request_id);
// UNAUTHENTICATED: no token came, or one that is not known.
absl::Status UnauthenticatedError(bool token_sent);
// PERMISSION_DENIED: the bearer of the token `client` has scope `has`, `method` needs `needs`.
absl::Status ScopeMissingError(const std::string& method, const std::string& client,
                               const std::string& has, const std::string& needs);
absl::Status BadSnapshotError(absl::StatusCode code, const std::string& message);
absl::Status StorageError(absl::StatusCode code, const std::string& message);
// A watcher under `policy` was dropped with `queued` frames waiting for it; `allowed` says what was
// expected of it.
absl::Status SlowWatcherError(const std::string& policy, int64_t queued,
                              const std::string& allowed);
// FAILED_PRECONDITION: `name` must be stopped first.
absl::Status RecordingRunningError(const std::string& name);
// DATA_LOSS: a stored recording cannot be read.
absl::Status BadRecordingError(const std::string& message);

}  // namespace talus
