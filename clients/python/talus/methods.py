"""The RPCs by name: path, request class, response class. The sync and the asyncio client both call through this table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Type, TypeVar

from google.protobuf.message import Message

from talus.v1 import analysis_service_pb2 as analysis
from talus.v1 import control_pb2 as control
from talus.v1 import named_scene_pb2 as named
from talus.v1 import query_service_pb2 as query
from talus.v1 import recording_service_pb2 as recording
from talus.v1 import scene_service_pb2 as scene
from talus.v1 import server_service_pb2 as server
from talus.v1 import simulation_service_pb2 as simulation
from talus.v1 import snapshot_service_pb2 as snapshot
from talus.v1 import stream_service_pb2 as stream

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Request, Response]):
    """One RPC of talus.v1."""

    service: str
    name: str
    request_type: Type[Request]
    response_type: Type[Response]
    streams: bool = False  # server streaming
    converses: bool = False  # both sides stream
    takes_stream: bool = False  # client streaming

    @property
    def path(self) -> str:
        """The HTTP/2 path."""
        return f"/talus.v1.{self.service}/{self.name}"


CREATE_SCENE = Method("SceneService", "CreateScene", scene.CreateSceneRequest, scene.CreateSceneResponse)
IMPORT_MODEL = Method(
    "SceneService", "ImportModel", scene.ImportModelRequest, scene.ImportModelResponse, takes_stream=True
)
GET_SCENE = Method("SceneService", "GetScene", scene.GetSceneRequest, scene.GetSceneResponse)
LIST_SCENES = Method("SceneService", "ListScenes", scene.ListScenesRequest, scene.ListScenesResponse)
LIST_NAMED_SCENES = Method(
    "SceneService", "ListNamedScenes", named.ListNamedScenesRequest, named.ListNamedScenesResponse
)
DELETE_SCENE = Method("SceneService", "DeleteScene", scene.DeleteSceneRequest, scene.DeleteSceneResponse)
ADD_BODIES = Method("SceneService", "AddBodies", scene.AddBodiesRequest, scene.AddBodiesResponse)
REMOVE_BODIES = Method("SceneService", "RemoveBodies", scene.RemoveBodiesRequest, scene.RemoveBodiesResponse)
UPDATE_BODIES = Method("SceneService", "UpdateBodies", scene.UpdateBodiesRequest, scene.UpdateBodiesResponse)
LIST_BODIES = Method("SceneService", "ListBodies", scene.ListBodiesRequest, scene.ListBodiesResponse)
ADD_EMITTERS = Method("SceneService", "AddEmitters", scene.AddEmittersRequest, scene.AddEmittersResponse)
REMOVE_EMITTERS = Method(
    "SceneService", "RemoveEmitters", scene.RemoveEmittersRequest, scene.RemoveEmittersResponse
)
ADD_JOINTS = Method("SceneService", "AddJoints", scene.AddJointsRequest, scene.AddJointsResponse)
REMOVE_JOINTS = Method("SceneService", "RemoveJoints", scene.RemoveJointsRequest, scene.RemoveJointsResponse)
LIST_JOINTS = Method("SceneService", "ListJoints", scene.ListJointsRequest, scene.ListJointsResponse)
STEP = Method("SimulationService", "Step", simulation.StepRequest, simulation.StepResponse)
STEP_UNTIL = Method(
    "SimulationService", "StepUntil", simulation.StepUntilRequest, simulation.StepUntilResponse
)
BATCH_STEP = Method(
    "SimulationService", "BatchStep", simulation.BatchStepRequest, simulation.BatchStepResponse
)
CONTROL = Method(
    "SimulationService", "Control", control.ControlRequest, control.ControlResponse, converses=True
)
RUN = Method("SimulationService", "Run", simulation.RunRequest, simulation.RunResponse)
PAUSE = Method("SimulationService", "Pause", simulation.PauseRequest, simulation.PauseResponse)
RESET_SCENE = Method(
    "SimulationService", "ResetScene", simulation.ResetSceneRequest, simulation.ResetSceneResponse
)
GET_LAYOUT = Method("QueryService", "GetLayout", query.GetLayoutRequest, query.GetLayoutResponse)
GET_STATE = Method("QueryService", "GetState", query.GetStateRequest, query.GetStateResponse)
GET_CONTACTS = Method("QueryService", "GetContacts", query.GetContactsRequest, query.GetContactsResponse)
GET_JOINTS = Method("QueryService", "GetJoints", query.GetJointsRequest, query.GetJointsResponse)
GET_ENERGY = Method("QueryService", "GetEnergy", query.GetEnergyRequest, query.GetEnergyResponse)
GET_DIAGNOSTICS = Method(
    "QueryService", "GetDiagnostics", query.GetDiagnosticsRequest, query.GetDiagnosticsResponse
)
GET_STEP_PROBLEM = Method(
    "QueryService", "GetStepProblem", query.GetStepProblemRequest, query.GetStepProblemResponse
)
CAST_RAYS = Method("QueryService", "CastRays", query.CastRaysRequest, query.CastRaysResponse)
SOLVE_CONTACT_PROBLEM = Method(
    "AnalysisService",
    "SolveContactProblem",
    analysis.SolveContactProblemRequest,
    analysis.SolveContactProblemResponse,
)
MESH_ROLLING_LOADS = Method(
    "AnalysisService", "MeshRollingLoads", analysis.MeshRollingLoadsRequest, analysis.MeshRollingLoadsResponse
)
MESH_TROUGH_SURFACE = Method(
    "AnalysisService", "MeshTroughSurface", analysis.MeshTroughSurfaceRequest, analysis.MeshTroughSurfaceResponse
)
ANALYZE_ROLLING_TRANSITION = Method(
    "AnalysisService",
    "AnalyzeRollingTransition",
    analysis.AnalyzeRollingTransitionRequest,
    analysis.AnalyzeRollingTransitionResponse,
)
WATCH_STATE = Method(
    "StreamService", "WatchState", stream.WatchStateRequest, stream.WatchStateResponse, streams=True
)
WATCH_EVENTS = Method(
    "StreamService", "WatchEvents", stream.WatchEventsRequest, stream.WatchEventsResponse, streams=True
)
CREATE_SNAPSHOT = Method(
    "SnapshotService", "CreateSnapshot", snapshot.CreateSnapshotRequest, snapshot.CreateSnapshotResponse
)
LIST_SNAPSHOTS = Method(
    "SnapshotService", "ListSnapshots", snapshot.ListSnapshotsRequest, snapshot.ListSnapshotsResponse
)
DELETE_SNAPSHOT = Method(
    "SnapshotService", "DeleteSnapshot", snapshot.DeleteSnapshotRequest, snapshot.DeleteSnapshotResponse
)
RESTORE_SNAPSHOT = Method(
    "SnapshotService", "RestoreSnapshot", snapshot.RestoreSnapshotRequest, snapshot.RestoreSnapshotResponse
)
FORK_SCENE = Method("SnapshotService", "ForkScene", snapshot.ForkSceneRequest, snapshot.ForkSceneResponse)
DOWNLOAD_SNAPSHOT = Method(
    "SnapshotService",
    "DownloadSnapshot",
    snapshot.DownloadSnapshotRequest,
    snapshot.DownloadSnapshotResponse,
    streams=True,
)
START_RECORDING = Method(
    "RecordingService", "StartRecording", recording.StartRecordingRequest, recording.StartRecordingResponse
)
STOP_RECORDING = Method(
    "RecordingService", "StopRecording", recording.StopRecordingRequest, recording.StopRecordingResponse
)
GET_RECORDING = Method(
    "RecordingService", "GetRecording", recording.GetRecordingRequest, recording.GetRecordingResponse
)
DELETE_RECORDING = Method(
    "RecordingService", "DeleteRecording", recording.DeleteRecordingRequest, recording.DeleteRecordingResponse
)
LIST_RECORDINGS = Method(
    "RecordingService", "ListRecordings", recording.ListRecordingsRequest, recording.ListRecordingsResponse
)
DOWNLOAD_RECORDING = Method(
    "RecordingService",
    "DownloadRecording",
    recording.DownloadRecordingRequest,
    recording.DownloadRecordingResponse,
    streams=True,
)
REPLAY_INPUTS = Method(
    "RecordingService", "ReplayInputs", recording.ReplayInputsRequest, recording.ReplayInputsResponse
)
GET_SNAPSHOT = Method("SnapshotService", "GetSnapshot", snapshot.GetSnapshotRequest, snapshot.GetSnapshotResponse)
UPLOAD_SNAPSHOT = Method(
    "SnapshotService",
    "UploadSnapshot",
    snapshot.UploadSnapshotRequest,
    snapshot.UploadSnapshotResponse,
    takes_stream=True,
)
GET_SERVER_INFO = Method(
    "ServerService", "GetServerInfo", server.GetServerInfoRequest, server.GetServerInfoResponse
)
GET_FEATURES = Method("ServerService", "GetFeatures", server.GetFeaturesRequest, server.GetFeaturesResponse)

ALL: tuple[Method[Any, Any], ...] = tuple(value for value in list(globals().values()) if isinstance(value, Method))
