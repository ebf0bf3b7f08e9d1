"""Codes and reasons become the right classes with all details."""

import grpc
import pytest
import talus
from talus import errors
from talus.v1 import error_pb2


class FailedCall:
    def __init__(self, code, details, metadata):
        self._parts = code, details, metadata

    def code(self):
        return self._parts[0]

    def details(self):
        return self._parts[1]

    def trailing_metadata(self):
        return self._parts[2]


def failed(code, reason=None, metadata=None, **detail):
    if reason is not None:
        message = error_pb2.ErrorDetail(reason=error_pb2.ErrorReason.Value("ERROR_REASON_" + reason), **detail)
        metadata = [("other", "text"), ("talus-error-bin", message.SerializeToString())]
    return errors.from_rpc_error(FailedCall(code, "what happened", metadata))


CASES = [
    ("INVALID_ARGUMENT", "INVALID_FIELD", talus.InvalidFieldError, talus.InvalidArgumentError),
    ("INVALID_ARGUMENT", "REQUEST_ID_REUSED", talus.RequestIdReusedError, talus.InvalidArgumentError),
    ("NOT_FOUND", "NOT_FOUND", talus.NotFoundError, talus.TalusError),
    ("ALREADY_EXISTS", "DUPLICATE_NAME", talus.AlreadyExistsError, talus.TalusError),
    ("FAILED_PRECONDITION", "STEP_INDEX_MISMATCH", talus.StepIndexMismatchError, talus.FailedPreconditionError),
    ("FAILED_PRECONDITION", "SCENE_FAULTED", talus.SceneFaultedError, talus.FailedPreconditionError),
    ("RESOURCE_EXHAUSTED", "LIMIT_REACHED", talus.LimitReachedError, talus.ResourceExhaustedError),
    ("RESOURCE_EXHAUSTED", "MAILBOX_FULL", talus.MailboxFullError, talus.ResourceExhaustedError),
    ("RESOURCE_EXHAUSTED", "SLOW_WATCHER", talus.SlowWatcherError, talus.ResourceExhaustedError),
    ("DEADLINE_EXCEEDED", "DEADLINE", talus.DeadlineExceededError, talus.TalusError),
    ("CANCELLED", "CANCELLED", talus.CallCancelledError, talus.TalusError),
    ("ABORTED", "SCENE_DELETED", talus.SceneDeletedError, talus.AbortedError),
    ("FAILED_PRECONDITION", "LEASE_HELD", talus.LeaseHeldError, talus.FailedPreconditionError),
    ("FAILED_PRECONDITION", "SCENE_RUNNING", talus.SceneRunningError, talus.FailedPreconditionError),
    ("ABORTED", "LEASE_LOST", talus.LeaseLostError, talus.AbortedError),
    ("DEADLINE_EXCEEDED", "DEADLINE_MISSED", talus.DeadlineMissedError, talus.DeadlineExceededError),
    ("FAILED_PRECONDITION", "RECORDING_RUNNING", talus.RecordingRunningError, talus.FailedPreconditionError),
    ("DATA_LOSS", "BAD_RECORDING", talus.BadRecordingError, talus.DataLossError),
    ("UNAVAILABLE", "DRAINING", talus.DrainingError, talus.UnavailableError),
    ("UNAVAILABLE", "STORAGE", talus.StorageError, talus.TalusError),
    ("FAILED_PRECONDITION", "STORAGE", talus.StorageError, talus.TalusError),
    ("DATA_LOSS", "BAD_SNAPSHOT", talus.BadSnapshotError, talus.TalusError),
    ("INVALID_ARGUMENT", "BAD_SNAPSHOT", talus.BadSnapshotError, talus.TalusError),
    ("UNAUTHENTICATED", "UNAUTHENTICATED", talus.UnauthenticatedError, talus.TalusError),
    ("PERMISSION_DENIED", "SCOPE_MISSING", talus.PermissionDeniedError, talus.TalusError),
]


@pytest.mark.parametrize("code, reason, kind, base", CASES)
def test_reason_chooses_the_class(code, reason, kind, base):
    error = failed(getattr(grpc.StatusCode, code), reason)
    assert type(error) is kind and isinstance(error, base)
    assert error.code.name == code and error.reason == reason


def test_storage_is_no_reason_to_try_again():
    assert not issubclass(talus.StorageError, talus.UnavailableError)


def test_every_reason_of_the_schema_is_covered():
    reasons = {name[len("ERROR_REASON_") :] for name in error_pb2.ErrorReason.keys()} - {"UNSPECIFIED"}
    assert reasons == {reason for _, reason, _, _ in CASES}


def test_details_are_carried():
    error = failed(
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        field="bodies[3].mass_kg",
        value="-2",
        allowed="must be > 0",
        steps_done=7,
        step_index=9,
        limit_name="scenes",
        limit_value=4,
        retry_after_ms=250,
    )
    assert (error.field, error.value, error.allowed) == ("bodies[3].mass_kg", "-2", "must be > 0")
    assert (error.steps_done, error.step_index, error.limit_name, error.limit_value) == (7, 9, "scenes", 4)
    assert error.retry_after == 0.25
    assert str(error) == "INVALID_ARGUMENT: what happened" and error.message == "what happened"


@pytest.mark.parametrize("metadata", [None, [], [("talus-error-bin", b"\xff\xff\xff")], [("talus-error-bin", "text")]])
def test_without_detail_the_code_chooses(metadata):
    error = failed(grpc.StatusCode.NOT_FOUND, metadata=metadata)
    assert type(error) is talus.NotFoundError
    assert error.reason == "" and error.retry_after is None and error.field == ""


def test_unknown_code_and_unknown_reason():
    assert type(failed(grpc.StatusCode.UNIMPLEMENTED)) is talus.TalusError
    message = error_pb2.ErrorDetail()
    message.MergeFromString(b"\x08\xe7\x07")  # reason 999, of a newer server
    error = failed(grpc.StatusCode.ABORTED, metadata=[("talus-error-bin", message.SerializeToString())])
    assert type(error) is talus.AbortedError and error.reason == "999"


@pytest.mark.parametrize("code", [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK])
def test_every_code_maps(code):
    assert failed(code).code.name == code.name
