"""Talus: contact dynamics as a service, from Python.

    import talus

    with talus.launch() as server:
        scene = server.client.create_scene(talus.gravel_pile(500))
        result = scene.step(200, positions=True)
        print(result.report.residual, result.frame.positions.shape)
        print(scene.contacts().forces.sum(axis=0))

Modules: client (sync), aio (asyncio), server (launch), scene (builders), named_scenes, frames (numpy views), recording
(frames.binpb), errors, demo.
"""

from talus import actuators, problems, scene
from talus.access import Access
from talus.calls import Diagnostics, Features, SceneInfo, ServerInfo, SnapshotInfo, StepResult, WatchFrame
from talus.client import Client, EventWatch, Pending, Scene, Watch, connect
from talus.control import Control
from talus.errors import (
    AbortedError,
    AlreadyExistsError,
    BadRecordingError,
    BadSnapshotError,
    CallCancelledError,
    Code,
    DataLossError,
    DeadlineExceededError,
    DeadlineMissedError,
    DrainingError,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    InvalidFieldError,
    LaunchError,
    LeaseHeldError,
    LeaseLostError,
    LimitReachedError,
    MailboxFullError,
    NotFoundError,
    RecordingRunningError,
    PermissionDeniedError,
    RequestIdReusedError,
    ResourceExhaustedError,
    SceneDeletedError,
    SceneFaultedError,
    SceneRunningError,
    SlowWatcherError,
    StepIndexMismatchError,
    StorageError,
    TalusError,
    UnauthenticatedError,
    UnavailableError,
)
from talus.frames import ContactMode, Contacts, Energy, Frame, Layout, Outcome, StepReport
from talus.models import Model, ModelReport
from talus.named_scenes import gravel_pile
from talus.problems import ContactProblem, FlatLawSettings, ProblemSolution, PsorSettings, StepProblem
from talus.rays import RayHits
from talus.recording import FrameReader, FrameWriter, RecordingError
from talus.recordings import Recording, Replay
from talus.server import Server, launch
from talus.updating import body_update
from talus.watching import Event, EventKind, WatchOptions

__version__ = "0.1.0"

__all__ = [
    "Access",
    "actuators",
    "AbortedError",
    "AlreadyExistsError",
    "BadRecordingError",
    "BadSnapshotError",
    "CallCancelledError",
    "Client",
    "Code",
    "ContactMode",
    "ContactProblem",
    "Contacts",
    "Control",
    "DataLossError",
    "DeadlineExceededError",
    "DeadlineMissedError",
    "Diagnostics",
    "DrainingError",
    "Energy",
    "Event",
    "EventKind",
    "EventWatch",
    "FailedPreconditionError",
    "FlatLawSettings",
    "Frame",
    "Features",
    "FrameReader",
    "FrameWriter",
    "InternalError",
    "InvalidArgumentError",
    "InvalidFieldError",
    "LaunchError",
    "Layout",
    "LeaseHeldError",
    "LeaseLostError",
    "LimitReachedError",
    "MailboxFullError",
    "Model",
    "ModelReport",
    "NotFoundError",
    "PermissionDeniedError",
    "Outcome",
    "Pending",
    "ProblemSolution",
    "PsorSettings",
    "RayHits",
    "Recording",
    "RecordingError",
    "RecordingRunningError",
    "Replay",
    "RequestIdReusedError",
    "ResourceExhaustedError",
    "Scene",
    "SceneDeletedError",
    "SceneFaultedError",
    "SceneInfo",
    "SceneRunningError",
    "Server",
    "ServerInfo",
    "SlowWatcherError",
    "SnapshotInfo",
    "StepIndexMismatchError",
    "StepProblem",
    "StepReport",
    "StepResult",
    "StorageError",
    "TalusError",
    "UnauthenticatedError",
    "UnavailableError",
    "Watch",
    "WatchFrame",
    "WatchOptions",
    "body_update",
    "connect",
    "gravel_pile",
    "launch",
    "problems",
    "scene",
]
