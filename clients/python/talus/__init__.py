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

from talus import problems, scene
from talus.calls import Diagnostics, SceneInfo, ServerInfo, SnapshotInfo, StepResult, WatchFrame
from talus.client import Client, Pending, Scene, Watch, connect
from talus.errors import (
    AbortedError,
    AlreadyExistsError,
    BadSnapshotError,
    CallCancelledError,
    Code,
    DataLossError,
    DeadlineExceededError,
    DrainingError,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    InvalidFieldError,
    LaunchError,
    LimitReachedError,
    MailboxFullError,
    NotFoundError,
    RequestIdReusedError,
    ResourceExhaustedError,
    SceneDeletedError,
    SceneFaultedError,
    StepIndexMismatchError,
    StorageError,
    TalusError,
    UnavailableError,
)
from talus.frames import ContactMode, Contacts, Energy, Frame, Layout, Outcome, StepReport
from talus.named_scenes import gravel_pile
from talus.problems import ContactProblem, ProblemSolution, StepProblem
from talus.recording import FrameReader, FrameWriter, RecordingError
from talus.recordings import Recording, Replay
from talus.server import Server, launch

__version__ = "0.1.0"

__all__ = [
    "AbortedError",
    "AlreadyExistsError",
    "BadSnapshotError",
    "CallCancelledError",
    "Client",
    "Code",
    "ContactMode",
    "ContactProblem",
    "Contacts",
    "DataLossError",
    "DeadlineExceededError",
    "Diagnostics",
    "DrainingError",
    "Energy",
    "FailedPreconditionError",
    "Frame",
    "FrameReader",
    "FrameWriter",
    "InternalError",
    "InvalidArgumentError",
    "InvalidFieldError",
    "LaunchError",
    "Layout",
    "LimitReachedError",
    "MailboxFullError",
    "NotFoundError",
    "Outcome",
    "Pending",
    "ProblemSolution",
    "Recording",
    "RecordingError",
    "Replay",
    "RequestIdReusedError",
    "ResourceExhaustedError",
    "Scene",
    "SceneDeletedError",
    "SceneFaultedError",
    "SceneInfo",
    "Server",
    "ServerInfo",
    "SnapshotInfo",
    "StepIndexMismatchError",
    "StepProblem",
    "StepReport",
    "StepResult",
    "StorageError",
    "TalusError",
    "UnavailableError",
    "Watch",
    "WatchFrame",
    "connect",
    "gravel_pile",
    "launch",
    "problems",
    "scene",
]
