"""What goes wrong, as exceptions.

Every failed call raises a subclass of TalusError chosen by the machine-readable reason the server sent in the trailing
metadata `talus-error-bin`, or by the gRPC code where there is none. A class per reason derives from the class of its
code, so a caller catches as finely as he likes; BadSnapshotError and StorageError come with several codes and derive
from TalusError alone. Failed calls change nothing on the server, except that a Step may have
made `steps_done` steps.
"""

from __future__ import annotations

import enum
from typing import Any, Iterable, Optional, Protocol, Type

import grpc
from google.protobuf.message import DecodeError

from talus.v1 import error_pb2

DETAIL_KEY = "talus-error-bin"


class Code(enum.Enum):
    """The canonical gRPC codes, by number."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class TalusError(Exception):
    """A call failed.

    Attributes:
      code: the canonical code.
      message: one sentence naming the field, the value and the allowed range.
      reason: ErrorReason without its prefix, as in `INVALID_FIELD`; empty when the server gave none.
      field: path of the offending field, as in `bodies[3].mass_kg`.
      value: the value that was met, as text.
      allowed: what would have been allowed, as text.
      steps_done: steps completed before the call ended.
      step_index: the scene's step index, where that is the question.
      limit_name, limit_value: the limit that was reached.
      detail: the message the server sent, empty when it sent none.
      retry_after: seconds after which another try may succeed; None when trying again does not help.
    """

    def __init__(
        self,
        message: str,
        code: Code = Code.UNKNOWN,
        detail: Optional[error_pb2.ErrorDetail] = None,
    ) -> None:
        super().__init__(f"{code.name}: {message}")
        detail = detail or error_pb2.ErrorDetail()
        self.message = message
        self.code = code
        self.detail = detail
        self.reason = _reason_name(detail.reason)
        self.field = detail.field
        self.value = detail.value
        self.allowed = detail.allowed
        self.steps_done = int(detail.steps_done)
        self.step_index = int(detail.step_index)
        self.limit_name = detail.limit_name
        self.limit_value = int(detail.limit_value)
        self.retry_after: Optional[float] = detail.retry_after_ms / 1000.0 if detail.retry_after_ms else None


class InvalidArgumentError(TalusError):
    """Code INVALID_ARGUMENT."""


class InvalidFieldError(InvalidArgumentError):
    """A field is missing, malformed or out of range."""


class RequestIdReusedError(InvalidArgumentError):
    """The same request_id came before with another request."""


class NotFoundError(TalusError):
    """Code NOT_FOUND."""


class AlreadyExistsError(TalusError):
    """Code ALREADY_EXISTS: the name is taken."""


class FailedPreconditionError(TalusError):
    """Code FAILED_PRECONDITION."""


class StepIndexMismatchError(FailedPreconditionError):
    """expected_step_index is not the scene's step index, which is in `step_index`."""


class SceneFaultedError(FailedPreconditionError):
    """The scene's state left the finite numbers or its bounds; it keeps the last good state and no longer steps."""


class LeaseHeldError(FailedPreconditionError):
    """Somebody else controls the scene: `value` says who."""


class SceneRunningError(FailedPreconditionError):
    """The scene steps on its own; pause it first."""


class ResourceExhaustedError(TalusError):
    """Code RESOURCE_EXHAUSTED."""


class LimitReachedError(ResourceExhaustedError):
    """The limit `limit_name` of `limit_value` was reached."""


class MailboxFullError(ResourceExhaustedError):
    """Too many calls wait for the scene; try again after `retry_after` seconds."""


class SlowWatcherError(ResourceExhaustedError):
    """This reader of a stream was too slow for the policy it asked for, and was dropped."""


class DeadlineExceededError(TalusError):
    """The deadline passed; `steps_done` steps were made."""


class DeadlineMissedError(DeadlineExceededError):
    """No request had come when a tick was due."""


class CallCancelledError(TalusError):
    """The call was cancelled; `steps_done` steps were made when the server could still say so."""


class AbortedError(TalusError):
    """Code ABORTED."""


class SceneDeletedError(AbortedError):
    """The scene was deleted while the call waited or ran."""


class LeaseLostError(AbortedError):
    """The lease on the scene has ended: it was taken over, or nobody asked for anything in time."""


class UnauthenticatedError(TalusError):
    """The server asks for a token, and the call brought none or one that it does not know."""


class PermissionDeniedError(TalusError):
    """The token is known but its scope does not reach."""


class UnavailableError(TalusError):
    """Code UNAVAILABLE: the server cannot be reached, or drains."""


class DrainingError(UnavailableError):
    """The server shuts down."""


class StorageError(TalusError):
    """The server has no data directory (code FAILED_PRECONDITION), or could not read or write it (UNAVAILABLE)."""


class RecordingRunningError(FailedPreconditionError):
    """The recording is under way; stop it first."""


class BadSnapshotError(TalusError):
    """A snapshot does not parse, is of another version or fails its seal."""


class DataLossError(TalusError):
    """Code DATA_LOSS."""


class BadRecordingError(DataLossError):
    """A stored recording is damaged or none of this version."""


class InternalError(TalusError):
    """Code INTERNAL: a bug of the server."""


class LaunchError(TalusError):
    """talus_server could not be started; the message ends with what it wrote to standard error."""


_BY_CODE: dict[Code, Type[TalusError]] = {
    Code.CANCELLED: CallCancelledError,
    Code.INVALID_ARGUMENT: InvalidArgumentError,
    Code.DEADLINE_EXCEEDED: DeadlineExceededError,
    Code.NOT_FOUND: NotFoundError,
    Code.ALREADY_EXISTS: AlreadyExistsError,
    Code.RESOURCE_EXHAUSTED: ResourceExhaustedError,
    Code.FAILED_PRECONDITION: FailedPreconditionError,
    Code.ABORTED: AbortedError,
    Code.INTERNAL: InternalError,
    Code.UNAVAILABLE: UnavailableError,
    Code.DATA_LOSS: DataLossError,
    Code.UNAUTHENTICATED: UnauthenticatedError,
    Code.PERMISSION_DENIED: PermissionDeniedError,
}

_BY_REASON: dict[str, Type[TalusError]] = {
    "INVALID_FIELD": InvalidFieldError,
    "STEP_INDEX_MISMATCH": StepIndexMismatchError,
    "SCENE_FAULTED": SceneFaultedError,
    "LIMIT_REACHED": LimitReachedError,
    "MAILBOX_FULL": MailboxFullError,
    "SCENE_DELETED": SceneDeletedError,
    "DRAINING": DrainingError,
    "BAD_SNAPSHOT": BadSnapshotError,
    "REQUEST_ID_REUSED": RequestIdReusedError,
    "STORAGE": StorageError,
    "LEASE_HELD": LeaseHeldError,
    "LEASE_LOST": LeaseLostError,
    "SCENE_RUNNING": SceneRunningError,
    "DEADLINE_MISSED": DeadlineMissedError,
    "RECORDING_RUNNING": RecordingRunningError,
    "BAD_RECORDING": BadRecordingError,
    "SLOW_WATCHER": SlowWatcherError,
}


class _FailedCall(Protocol):
    """What grpc and grpc.aio agree on about a failed call."""

    def code(self) -> grpc.StatusCode: ...

    def details(self) -> Optional[str]: ...

    def trailing_metadata(self) -> Optional[Iterable[Any]]: ...


def from_rpc_error(error: _FailedCall) -> TalusError:
    """The exception for a failed grpc or grpc.aio call."""
    code = Code(error.code().value[0])
    detail = _find_detail(error.trailing_metadata() or ())
    message = error.details() or code.name.lower()
    if "message larger than max" in message:  # from gRPC itself, which knows no names
        message += "; the limit is message_mib of the client or --max-message-mib of the server, in MiB"
    return make_error(code, message, detail)


def make_error(code: Code, message: str, detail: Optional[error_pb2.ErrorDetail]) -> TalusError:
    """The exception of the finest class that fits the code and the detail's reason."""
    reason = _reason_name(detail.reason) if detail is not None else ""
    kind = _BY_REASON.get(reason) or _BY_CODE.get(code) or TalusError
    return kind(message, code, detail)


def _find_detail(metadata: Iterable[Any]) -> Optional[error_pb2.ErrorDetail]:
    for key, value in metadata:
        if key == DETAIL_KEY and isinstance(value, bytes):
            try:
                detail = error_pb2.ErrorDetail()
                detail.ParseFromString(value)
                return detail
            except DecodeError:
                return None
    return None


def _reason_name(reason: int) -> str:
    if reason == error_pb2.ERROR_REASON_UNSPECIFIED:
        return ""
    try:
        name = str(error_pb2.ErrorReason.Name(reason))
    except ValueError:
        return str(reason)
    return name[len("ERROR_REASON_") :]
