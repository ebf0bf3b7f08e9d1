"""What a call sends and how its answer is read, free of any transport: shared by the sync and the asyncio client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generic, Iterable, Optional, Sequence, TypeVar, Union

import numpy.typing as npt

from talus import methods, trough
from talus.frames import Contacts, Energy, Frame, Layout, StepReport
from talus.methods import Method, Request, Response
from talus.problems import FlatLawSettings, ProblemSolution, ProblemSource, PsorSettings, StepProblem, solve_request
from talus.quantized import Poses, QuantizedDecoder
from talus.rays import RayHits, rays_request
from talus.scene import SpecSource, load
from talus.trough import RollingSurface
from talus.v1 import analysis_service_pb2
from talus.v1 import frame_pb2, query_service_pb2, scene_pb2, scene_service_pb2, server_service_pb2
from talus.v1 import simulation_service_pb2, snapshot_service_pb2, stream_service_pb2
from talus.watching import Body, EventBatch, WatchOptions, apply_options, events_request, select_bodies

T = TypeVar("T")

SceneInfo = scene_service_pb2.SceneInfo
SnapshotInfo = snapshot_service_pb2.SnapshotInfo
ServerInfo = server_service_pb2.GetServerInfoResponse
Features = server_service_pb2.GetFeaturesResponse
Diagnostics = query_service_pb2.GetDiagnosticsResponse
RollingBody = analysis_service_pb2.AnalyzeRollingTransitionRequest
RollingTransition = analysis_service_pb2.AnalyzeRollingTransitionResponse
JointState = query_service_pb2.JointState

@dataclass(frozen=True)
class Call(Generic[T]):
    """One call, ready to be made; `decode` reads an answer, or a message of the stream."""

    method: Method[Any, Any]
    request: Any  # a message, or an iterator of messages where the method takes a stream
    decode: Callable[[Any], T]


def _call(method: Method[Request, Response], request: Request, decode: Callable[[Response], T]) -> Call[T]:
    return Call(method, request, decode)


class StepResult:
    """The answer to Step: the final state as selected, and the certificate over all steps of the call."""

    __slots__ = ("frame", "steps_done", "worst_residual", "unconverged_steps", "worst_penetration_m", "sweep_count")

    def __init__(self, response: simulation_service_pb2.StepResponse) -> None:
        self.frame = Frame(response.frame)
        self.steps_done = int(response.steps_done)
        self.worst_residual = float(response.worst_residual)
        self.unconverged_steps = int(response.unconverged_steps)
        self.worst_penetration_m = float(response.worst_penetration_m)
        self.sweep_count = int(response.sweep_count)

    @property
    def step_index(self) -> int:
        """Index of the final state."""
        return self.frame.step_index

    @property
    def time_s(self) -> float:
        """Simulated time of the final state, seconds."""
        return self.frame.time_s

    @property
    def state_hash(self) -> int:
        """Hash of the final state."""
        return self.frame.state_hash

    @property
    def report(self) -> StepReport:
        """Report of the last step; empty when it was not asked for."""
        return self.frame.message.report


class WatchFrame(Frame):
    """A frame of a stream."""

    __slots__ = ("dropped_since_last",)

    def __init__(self, response: stream_service_pb2.WatchStateResponse, poses: Optional[Poses] = None) -> None:
        super().__init__(response.frame, poses)
        self.dropped_since_last = int(response.dropped_since_last)


def scene_name(name: str) -> str:
    """`scenes/{scene}` from either form."""
    return name if name.startswith("scenes/") else f"scenes/{name}"


def snapshot_name(name: str) -> str:
    """`snapshots/{snapshot}` from either form."""
    return name if name.startswith("snapshots/") else f"snapshots/{name}"


def select(
    positions: bool = False,
    orientations: bool = False,
    velocities: bool = False,
    contacts: bool = False,
    report: bool = False,
    layout: bool = False,
) -> frame_pb2.FrameSelection:
    """Which parts of a frame a caller wants."""
    return frame_pb2.FrameSelection(
        positions=positions,
        orientations=orientations,
        velocities=velocities,
        contacts=contacts,
        report=report,
        layout=layout,
    )


def create_scene(
    source: Union[SpecSource, bytes, None],
    name: str,
    snapshot: Optional[str],
    request_id: str,
    named_scene: Optional[str] = None,
    idle_ttl: float = 0.0,
) -> Call[str]:
    """CreateScene; answers the scene's name. Bytes are those of a downloaded snapshot."""
    if sum(given is not None for given in (source, snapshot, named_scene)) != 1:
        raise ValueError("give one of a source, snapshot= and named_scene=, and no other")
    request = scene_service_pb2.CreateSceneRequest(scene_id=name, request_id=request_id, idle_ttl_s=idle_ttl)
    if named_scene is not None:
        request.named_scene = named_scene
    elif snapshot is not None:
        request.snapshot = snapshot_name(snapshot)
    elif isinstance(source, bytes):
        request.snapshot_data = source
    elif source is not None:
        request.spec.CopyFrom(load(source))
    return _call(methods.CREATE_SCENE, request, lambda response: str(response.scene.scene))


def get_scene(scene: str) -> Call[SceneInfo]:
    """GetScene."""
    request = scene_service_pb2.GetSceneRequest(scene=scene)
    return _call(methods.GET_SCENE, request, lambda response: response.scene)


def list_scenes(page_token: str, page_size: int) -> Call[tuple[list[SceneInfo], str]]:
    """ListScenes; answers the page and the token of the next, empty at the end."""
    request = scene_service_pb2.ListScenesRequest(page_token=page_token, page_size=page_size)
    return _call(methods.LIST_SCENES, request, lambda r: (list(r.scenes), str(r.next_page_token)))


def delete_scene(scene: str) -> Call[None]:
    """DeleteScene."""
    return _call(methods.DELETE_SCENE, scene_service_pb2.DeleteSceneRequest(scene=scene), lambda _: None)


def add_bodies(
    scene: str,
    bodies: Iterable[scene_pb2.BodySpec],
    materials: Iterable[scene_pb2.NamedMaterial],
    joints: Iterable[scene_pb2.JointSpec],
) -> Call[list[int]]:
    """AddBodies; answers the ids in the order of `bodies`."""
    request = scene_service_pb2.AddBodiesRequest(scene=scene, bodies=bodies, materials=materials, joints=joints)
    return _call(methods.ADD_BODIES, request, lambda response: [int(body) for body in response.body_ids])


def remove_bodies(scene: str, bodies: Iterable[Union[int, str]]) -> Call[Layout]:
    """RemoveBodies by id or by name; answers the new layout."""
    request = scene_service_pb2.RemoveBodiesRequest(scene=scene)
    for body in bodies:
        if isinstance(body, str):
            request.body_names.append(body)
        else:
            request.body_ids.append(int(body))
    return _call(methods.REMOVE_BODIES, request, lambda response: Layout(response.layout))


def add_emitters(
    scene: str, emitters: Iterable[scene_pb2.EmitterSpec], materials: Iterable[scene_pb2.NamedMaterial]
) -> Call[SceneInfo]:
    """AddEmitters."""
    request = scene_service_pb2.AddEmittersRequest(scene=scene, emitters=emitters, materials=materials)
    return _call(methods.ADD_EMITTERS, request, lambda response: response.scene)


def remove_emitters(scene: str, names: Iterable[str]) -> Call[SceneInfo]:
    """RemoveEmitters by name."""
    request = scene_service_pb2.RemoveEmittersRequest(scene=scene, emitter_names=names)
    return _call(methods.REMOVE_EMITTERS, request, lambda response: response.scene)


def add_joints(scene: str, joints: Iterable[scene_pb2.JointSpec]) -> Call[list[int]]:
    """AddJoints; answers the ids in the order of `joints`."""
    request = scene_service_pb2.AddJointsRequest(scene=scene, joints=joints)
    return _call(methods.ADD_JOINTS, request, lambda response: [int(joint) for joint in response.joint_ids])


def remove_joints(scene: str, joints: Iterable[Union[int, str]]) -> Call[SceneInfo]:
    """RemoveJoints by id or by name."""
    request = scene_service_pb2.RemoveJointsRequest(scene=scene)
    for joint in joints:
        if isinstance(joint, str):
            request.joint_names.append(joint)
        else:
            request.joint_ids.append(int(joint))
    return _call(methods.REMOVE_JOINTS, request, lambda response: response.scene)


def get_layout(scene: str) -> Call[Layout]:
    """GetLayout."""
    request = query_service_pb2.GetLayoutRequest(scene=scene)
    return _call(methods.GET_LAYOUT, request, lambda response: Layout(response.layout))


def get_state(scene: str, selection: frame_pb2.FrameSelection, bodies: Iterable[Body] = ()) -> Call[Frame]:
    """GetState; empty `bodies`: all."""
    chosen = select_bodies(bodies) if bodies else None
    request = query_service_pb2.GetStateRequest(scene=scene, selection=selection, bodies=chosen)
    return _call(methods.GET_STATE, request, lambda response: Frame(response.frame))


def get_contacts(scene: str) -> Call[Contacts]:
    """GetContacts."""
    request = query_service_pb2.GetContactsRequest(scene=scene)
    return _call(methods.GET_CONTACTS, request, lambda response: Contacts(response.frame.contacts))


def get_joints(scene: str) -> Call[list[JointState]]:
    """GetJoints."""
    request = query_service_pb2.GetJointsRequest(scene=scene)
    return _call(methods.GET_JOINTS, request, lambda response: list(response.joints))


def get_energy(scene: str) -> Call[Energy]:
    """GetEnergy."""
    request = query_service_pb2.GetEnergyRequest(scene=scene)
    return _call(methods.GET_ENERGY, request, lambda response: response.energy)


def get_diagnostics(scene: str) -> Call[Diagnostics]:
    """GetDiagnostics."""
    request = query_service_pb2.GetDiagnosticsRequest(scene=scene)
    return _call(methods.GET_DIAGNOSTICS, request, lambda response: response)


def get_step_problem(scene: str) -> Call[StepProblem]:
    """GetStepProblem."""
    request = query_service_pb2.GetStepProblemRequest(scene=scene)
    return _call(methods.GET_STEP_PROBLEM, request, StepProblem)


def cast_rays(
    scene: str,
    origins: npt.ArrayLike,
    directions: npt.ArrayLike,
    max_distance: Optional[Union[float, npt.ArrayLike]],
    ignored_bodies: Iterable[int],
) -> Call[RayHits]:
    """CastRays."""
    return _call(methods.CAST_RAYS, rays_request(scene, origins, directions, max_distance, ignored_bodies), RayHits)


def solve(
    source: ProblemSource,
    law: str,
    solver: str,
    tolerance: Optional[float],
    max_sweeps: Optional[int],
    psor: Optional[PsorSettings],
    flat_law: Optional[FlatLawSettings],
) -> Call[ProblemSolution]:
    """SolveContactProblem."""
    request = solve_request(source, law, solver, tolerance, max_sweeps, psor, flat_law)
    return _call(methods.SOLVE_CONTACT_PROBLEM, request, ProblemSolution)


def analyze_rolling_transition(body: RollingBody) -> Call[RollingTransition]:
    """AnalyzeRollingTransition."""
    return _call(methods.ANALYZE_ROLLING_TRANSITION, body, lambda response: response)


def rolling_loads(
    body: RollingBody, axes: Sequence[trough.Axis], reach: Optional[float], cells: Optional[int]
) -> Call[RollingSurface]:
    """MeshRollingLoads."""
    return _call(methods.MESH_ROLLING_LOADS, trough.loads_request(body, axes, reach, cells), trough.rolling_loads)


def trough_surface(
    sliding_friction: Optional[float], inertia_ratio: Optional[float], body: str, cells: Optional[int]
) -> Call[RollingSurface]:
    """MeshTroughSurface."""
    request = trough.surface_request(sliding_friction, inertia_ratio, body, cells)
    return _call(methods.MESH_TROUGH_SURFACE, request, trough.trough_surface)


def watch(
    scene: str,
    rate_hz: Optional[float],
    every_n_steps: Optional[int],
    selection: frame_pb2.FrameSelection,
    frame_limit: int,
    options: Optional[WatchOptions] = None,
) -> Call[WatchFrame]:
    """WatchState, a stream of frames. ValueError: both paces were given, or a policy or profile that is none."""
    if rate_hz is not None and every_n_steps is not None:
        raise ValueError("give rate_hz or every_n_steps, not both")
    request = stream_service_pb2.WatchStateRequest(scene=scene, selection=selection, frame_limit=frame_limit)
    if rate_hz is not None:
        request.rate_hz = rate_hz
    if every_n_steps is not None:
        request.every_n_steps = every_n_steps
    apply_options(request, options or WatchOptions())
    decoder = QuantizedDecoder()

    def decode(response: stream_service_pb2.WatchStateResponse) -> WatchFrame:
        quantized = response.frame.HasField("quantized_bodies")
        return WatchFrame(response, decoder.decode(response.frame.quantized_bodies) if quantized else None)

    return _call(methods.WATCH_STATE, request, decode)


def watch_events(
    scene: str, kinds: Iterable[int], bodies: Sequence[Body], queue_events: Optional[int]
) -> Call[EventBatch]:
    """WatchEvents, a stream of batches."""
    return _call(methods.WATCH_EVENTS, events_request(scene, kinds, bodies, queue_events), EventBatch)


def create_snapshot(scene: str, name: str) -> Call[SnapshotInfo]:
    """CreateSnapshot."""
    request = snapshot_service_pb2.CreateSnapshotRequest(scene=scene, snapshot_id=name)
    return _call(methods.CREATE_SNAPSHOT, request, lambda response: response.snapshot)


def list_snapshots(page_token: str, page_size: int) -> Call[tuple[list[SnapshotInfo], str]]:
    """ListSnapshots; answers the page and the token of the next, empty at the end."""
    request = snapshot_service_pb2.ListSnapshotsRequest(page_token=page_token, page_size=page_size)
    return _call(methods.LIST_SNAPSHOTS, request, lambda r: (list(r.snapshots), str(r.next_page_token)))


def delete_snapshot(name: str) -> Call[None]:
    """DeleteSnapshot."""
    request = snapshot_service_pb2.DeleteSnapshotRequest(snapshot=snapshot_name(name))
    return _call(methods.DELETE_SNAPSHOT, request, lambda _: None)


def restore_snapshot(scene: str, name: str) -> Call[SceneInfo]:
    """RestoreSnapshot."""
    request = snapshot_service_pb2.RestoreSnapshotRequest(scene=scene, snapshot=snapshot_name(name))
    return _call(methods.RESTORE_SNAPSHOT, request, lambda response: response.scene)


def fork_scene(scene: str, copies: Union[int, Sequence[str]], request_id: str) -> Call[list[str]]:
    """ForkScene; answers the names of the copies."""
    ids = [""] * copies if isinstance(copies, int) else list(copies)
    request = snapshot_service_pb2.ForkSceneRequest(scene=scene, scene_ids=ids, request_id=request_id)
    return _call(methods.FORK_SCENE, request, lambda response: [str(info.scene) for info in response.scenes])


def download_snapshot(*, scene: Optional[str] = None, snapshot: Optional[str] = None) -> Call[bytes]:
    """DownloadSnapshot, a stream of chunks, of a scene's state now or of a stored snapshot."""
    request = snapshot_service_pb2.DownloadSnapshotRequest()
    if scene is not None:
        request.scene = scene
    else:
        request.snapshot = snapshot_name(snapshot or "")
    return _call(methods.DOWNLOAD_SNAPSHOT, request, lambda response: response.chunk)


def get_snapshot(name: str) -> Call[SnapshotInfo]:
    """GetSnapshot."""
    request = snapshot_service_pb2.GetSnapshotRequest(snapshot=snapshot_name(name))
    return _call(methods.GET_SNAPSHOT, request, lambda response: response.snapshot)


def upload_snapshot(data: bytes, name: str) -> Call[SnapshotInfo]:
    """UploadSnapshot, in chunks that fit the smallest limit on messages, 1 MiB, with what is around them."""
    message = snapshot_service_pb2.UploadSnapshotRequest
    chunks = [message(chunk=data[at : at + (1 << 19)]) for at in range(0, len(data), 1 << 19)] or [message()]
    chunks[0].snapshot_id = name

    def decode(response: snapshot_service_pb2.UploadSnapshotResponse) -> SnapshotInfo:
        return response.snapshot

    return Call(methods.UPLOAD_SNAPSHOT, iter(chunks), decode)


def get_server_info() -> Call[ServerInfo]:
    """GetServerInfo."""
    return _call(methods.GET_SERVER_INFO, server_service_pb2.GetServerInfoRequest(), lambda response: response)


def get_features() -> Call[Features]:
    """GetFeatures."""
    return _call(methods.GET_FEATURES, server_service_pb2.GetFeaturesRequest(), lambda response: response)
