"""The synchronous client.

A Client is a channel to one server; a Scene is a name on it, holding no state of its own, so that any number of Scene
objects may stand for one scene. Both may be used from several threads. Every call may raise a TalusError.
"""

from __future__ import annotations

from types import TracebackType
from typing import Iterable, Optional, Sequence, Type, TypeVar, Union

import grpc

from talus import calls, methods, models, stepping
from talus.access import Access
from talus.calls import Call, Features, SceneInfo, ServerInfo, SnapshotInfo, StepResult, WatchFrame
from talus.channel import MESSAGE_MIB, open_channel, open_methods
from talus.control import Control
from talus.errors import Code, TalusError, from_rpc_error, make_error
from talus.frames import Layout
from talus.listing import PAGE_SIZE, NamedSceneInfo, list_named_scenes
from talus.models import Model, ModelReport
from talus.pending import EventWatch, Pending, Stream, Watch
from talus.problems import FlatLawSettings, ProblemSolution, ProblemSource, PsorSettings
from talus.recordings import Recordings
from talus.scene import SpecSource
from talus.scene_queries import SceneQueries
from talus.scene_steps import SceneSteps
from talus.trough import Axis, RollingSurface
from talus.updating import update_bodies
from talus.v1 import scene_pb2
from talus.v1.control_pb2 import ControlRequest
from talus.v1.simulation_service_pb2 import StepRequest

T = TypeVar("T")


class Client:
    """A connection to one server. A context manager."""

    def __init__(
        self,
        address: str,
        *,
        timeout: Optional[float] = None,
        access: Optional[Access] = None,
        message_mib: int = MESSAGE_MIB,
    ) -> None:
        """`address` is host:port or unix:/path; `timeout` in seconds holds for calls that name none of their own, but for
        watch(), watch_events() and control(); `access` has certificates and token; `message_mib`, 1 to 2047, is the
        largest message either way, as --max-message-mib of the server. ValueError: `access` or `message_mib` cannot be
        used."""
        self.address = address
        self.timeout = timeout
        self._channel = open_channel(grpc, address, access, message_mib)
        self._methods = open_methods(self._channel, access)
        self.recordings = Recordings(self)

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the channel; calls under way end with CallCancelledError."""
        self._channel.close()

    def wait_until_ready(self, timeout: float = 10.0) -> None:
        """Waits until the server answers. TimeoutError: it did not within `timeout` seconds."""
        try:
            grpc.channel_ready_future(self._channel).result(timeout)
        except grpc.FutureTimeoutError:
            raise TimeoutError(f"no server at {self.address} within {timeout} s") from None

    def info(self, *, timeout: Optional[float] = None) -> ServerInfo:
        """Version, machine and limits of the server."""
        return self.run(calls.get_server_info(), timeout)

    def features(self, *, timeout: Optional[float] = None) -> Features:
        """What the server offers, in the words of the ROS 2 standard simulation_interfaces."""
        return self.run(calls.get_features(), timeout)

    def create_scene(
        self,
        source: Union[SpecSource, bytes, None] = None,
        *,
        name: str = "",
        snapshot: Optional[str] = None,
        named_scene: Optional[str] = None,
        idle_ttl: float = 0.0,
        request_id: str = "",
        timeout: Optional[float] = None,
    ) -> "Scene":
        """Makes a scene from a SceneSpec, its JSON form as a dict, a JSON file, the bytes of a downloaded snapshot,
        the name of a stored `snapshot`, or that of a scene the server was given as a file, `named_scene`. After
        `idle_ttl` seconds of not being used it is evicted; 0: as the server does with others. The server chooses the name when none is given."""
        call = calls.create_scene(source, name, snapshot, request_id, named_scene, idle_ttl)
        return Scene(self, self.run(call, timeout))

    def create_robot_scene(
        self,
        model: Model,
        around: Optional[SpecSource] = None,
        *,
        name: str = "",
        request_id: str = "",
        timeout: Optional[float] = None,
    ) -> tuple["Scene", ModelReport]:
        """Makes a scene with a robot in it, `around` it what create_scene() takes as a description [nothing], and tells
        what became of the robot."""
        scene, report = self.run(models.create_scene(model, around, name, request_id), timeout)
        return Scene(self, scene), report

    def scene(self, name: str) -> "Scene":
        """The scene of that name; whether it exists is found out by the first call on it."""
        return Scene(self, calls.scene_name(name))

    def scenes(self, page_size: int = PAGE_SIZE, *, timeout: Optional[float] = None) -> list[SceneInfo]:
        """All scenes, by name; `timeout` is that of each page."""
        infos, token = self.run(calls.list_scenes("", page_size), timeout)
        while token:
            page, token = self.run(calls.list_scenes(token, page_size), timeout)
            infos += page
        return infos

    def named_scenes(
        self, page_size: int = PAGE_SIZE, *, timeout: Optional[float] = None
    ) -> list[NamedSceneInfo]:
        """The scenes that create_scene() makes by `named_scene`, by name; `timeout` is that of each page."""
        infos, token = self.run(list_named_scenes("", page_size), timeout)
        while token:
            page, token = self.run(list_named_scenes(token, page_size), timeout)
            infos += page
        return infos

    def snapshots(self, page_size: int = PAGE_SIZE, *, timeout: Optional[float] = None) -> list[SnapshotInfo]:
        """All stored snapshots, by name; `timeout` is that of each page."""
        infos, token = self.run(calls.list_snapshots("", page_size), timeout)
        while token:
            page, token = self.run(calls.list_snapshots(token, page_size), timeout)
            infos += page
        return infos

    def delete_snapshot(self, name: str, *, timeout: Optional[float] = None) -> None:
        """Deletes a stored snapshot."""
        self.run(calls.delete_snapshot(name), timeout)

    def snapshot_info(self, name: str, *, timeout: Optional[float] = None) -> SnapshotInfo:
        """What the server tells about a stored snapshot."""
        return self.run(calls.get_snapshot(name), timeout)

    def upload_snapshot(self, data: bytes, name: str = "", *, timeout: Optional[float] = None) -> SnapshotInfo:
        """Stores the bytes of a snapshot that was downloaded before, here or from another server."""
        return self.run(calls.upload_snapshot(data, name), timeout)

    def download_snapshot(self, name: str, *, timeout: Optional[float] = None) -> bytes:
        """The bytes of a stored snapshot."""
        return b"".join(self.chunks(calls.download_snapshot(snapshot=name), timeout))

    def solve(
        self,
        source: ProblemSource,
        *,
        law: str = "ncp",
        solver: str = "default",
        tolerance: Optional[float] = None,
        max_sweeps: Optional[int] = None,
        psor: Optional[PsorSettings] = None,
        flat_law: Optional[FlatLawSettings] = None,
        timeout: Optional[float] = None,
    ) -> ProblemSolution:
        """Solves a contact problem: a message (talus.problems.problem makes one), the bytes of a file, or its path. law:
        a name of talus.scene.LAWS; solver: a name of talus.problems.SOLVERS; tolerance [1e-8]; max_sweeps [20000]; psor:
        a talus.problems.PsorSettings, for "psor" and "accelerated_psor" alone; flat_law: a
        talus.problems.FlatLawSettings, for the laws "box", "polygonal" and "bristle" alone."""
        return self.run(calls.solve(source, law, solver, tolerance, max_sweeps, psor, flat_law), timeout)

    def analyze_rolling_transition(
        self, body: calls.RollingBody, *, timeout: Optional[float] = None
    ) -> calls.RollingTransition:
        """What a body that rolls on two contact points does next: which of RR, RS, SR, SS it can go on in, and how."""
        return self.run(calls.analyze_rolling_transition(body), timeout)

    def rolling_loads(
        self,
        body: calls.RollingBody,
        axes: Sequence[Axis],
        *,
        reach: Optional[float] = None,
        cells: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> RollingSurface:
        """The loads a body that rolls on two contact points just rolls on under, as a mesh. body: under a load under which it
        rolls on, the origin; axes: three pairs of a force, N, and a torque about its centre of mass, N m, that one
        coordinate of 1 adds; reach [1]: how far from the origin is looked; cells [8], 1 to 32: 8 cells^2 triangles,
        8 to 140 ms each."""
        return self.run(calls.rolling_loads(body, axes, reach, cells), timeout)

    def trough_surface(
        self,
        *,
        sliding_friction: Optional[float] = None,
        inertia_ratio: Optional[float] = None,
        body: str = "limit_directions",
        cells: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> RollingSurface:
        """The torques a ball in a right-angled trough just rolls under, as a mesh. sliding_friction [0.3], inertia_ratio
        [0.4], cells [16]; body: a name of talus.trough.BODIES."""
        return self.run(calls.trough_surface(sliding_friction, inertia_ratio, body, cells), timeout)

    def batch_step(
        self, requests: Iterable[StepRequest], timeout: Optional[float] = None
    ) -> list[Union[StepResult, TalusError]]:
        """Steps many scenes at once: requests of Scene.step_request(), 1 to 1024. The answers come in their order, each a
        result or the exception it would have raised alone."""
        return self.run(stepping.batch_step(requests), timeout)

    def open_control(self, opening: ControlRequest, timeout: Optional[float] = None) -> Control:
        """See Scene.control."""
        return Control(self._methods[methods.CONTROL.path], opening, timeout)

    def run(self, call: Call[T], timeout: Optional[float] = None, lease: str = "") -> T:
        """Makes a call, under a lease where one is given, and waits for its answer."""
        invoke = self._methods[call.method.path]
        wait = timeout if timeout is not None else self.timeout
        try:
            return call.decode(invoke(call.request, timeout=wait, metadata=stepping.lease_metadata(lease)))
        except grpc.RpcError as error:
            raise from_rpc_error(error) from None

    def submit(self, call: Call[T], timeout: Optional[float] = None, lease: str = "") -> Pending[T]:
        """Makes a call and does not wait."""
        invoke = self._methods[call.method.path]
        wait = timeout if timeout is not None else self.timeout
        metadata = stepping.lease_metadata(lease)
        return Pending(invoke.future(call.request, timeout=wait, metadata=metadata), call)

    def chunks(self, call: Call[bytes], timeout: Optional[float] = None) -> Stream[bytes]:
        """As stream(), for a download: the client's timeout holds where none is given."""
        return self.stream(call, timeout if timeout is not None else self.timeout)

    def stream(self, call: Call[T], timeout: Optional[float] = None) -> Stream[T]:
        """Makes a server-streaming call; its messages come as the stream is iterated."""
        return Stream(self._methods[call.method.path](call.request, timeout=timeout), call.decode)

    def watch(self, call: Call[WatchFrame], timeout: Optional[float] = None) -> Watch:
        """As stream(), for frames."""
        return Watch(self._methods[call.method.path](call.request, timeout=timeout), call.decode)


class Scene(SceneQueries, SceneSteps):
    """One scene of a server, by name."""

    def __init__(self, client: Client, name: str, lease: str = "") -> None:
        self.client = client
        self.name = name
        self.lease = lease

    def under(self, lease: str) -> "Scene":
        """The same scene, its changes made under the lease of a Control."""
        return Scene(self.client, self.name, lease)

    def __repr__(self) -> str:
        return f"Scene({self.name!r} at {self.client.address})"

    def add_bodies(
        self,
        bodies: Iterable[scene_pb2.BodySpec],
        materials: Iterable[scene_pb2.NamedMaterial] = (),
        joints: Iterable[scene_pb2.JointSpec] = (),
        *,
        timeout: Optional[float] = None,
    ) -> list[int]:
        """Adds bodies, and joints that may hold them, all or none; the bodies' ids in order."""
        return self.client.run(calls.add_bodies(self.name, bodies, materials, joints), timeout, self.lease)

    def import_model(
        self,
        model: Model,
        materials: Iterable[scene_pb2.NamedMaterial] = (),
        *,
        timeout: Optional[float] = None,
    ) -> ModelReport:
        """Puts a robot into the scene, all of it or nothing, and tells what became of it. The scene's solver must take
        joints, as NEWTON does; `materials` are those the scene lacks."""
        return self.client.run(models.import_model(self.name, model, materials), timeout, self.lease)

    def remove_bodies(self, *bodies: Union[int, str], timeout: Optional[float] = None) -> Layout:
        """Removes bodies by id or name, all or none; the new layout."""
        return self.client.run(calls.remove_bodies(self.name, bodies), timeout, self.lease)

    def update_bodies(
        self, updates: Iterable[scene_pb2.BodyUpdate], *, timeout: Optional[float] = None
    ) -> SceneInfo:
        """Sets poses and velocities of bodies, all or none, from the next step on; talus.body_update() makes one."""
        return self.client.run(update_bodies(self.name, updates), timeout, self.lease)

    def add_emitters(
        self,
        emitters: Iterable[scene_pb2.EmitterSpec],
        materials: Iterable[scene_pb2.NamedMaterial] = (),
        *,
        timeout: Optional[float] = None,
    ) -> SceneInfo:
        """Adds emitters, all or none."""
        return self.client.run(calls.add_emitters(self.name, emitters, materials), timeout, self.lease)

    def remove_emitters(self, *names: str, timeout: Optional[float] = None) -> SceneInfo:
        """Removes emitters by name, all or none; their particles stay."""
        return self.client.run(calls.remove_emitters(self.name, names), timeout, self.lease)

    def add_joints(
        self, joints: Iterable[scene_pb2.JointSpec], *, timeout: Optional[float] = None
    ) -> list[int]:
        """Adds joints, all or none; their ids in order. The scene's solver must take joints, as NEWTON does."""
        return self.client.run(calls.add_joints(self.name, joints), timeout, self.lease)

    def remove_joints(self, *joints: Union[int, str], timeout: Optional[float] = None) -> SceneInfo:
        """Removes joints by id or name, all or none."""
        return self.client.run(calls.remove_joints(self.name, joints), timeout, self.lease)

    def snapshot(self, name: str = "", *, timeout: Optional[float] = None) -> SnapshotInfo:
        """Stores a snapshot on the server."""
        return self.client.run(calls.create_snapshot(self.name, name), timeout)

    def restore(self, snapshot: str, *, timeout: Optional[float] = None) -> SceneInfo:
        """Puts the scene back to a stored snapshot."""
        return self.client.run(calls.restore_snapshot(self.name, snapshot), timeout, self.lease)

    def fork(
        self, copies: Union[int, Sequence[str]] = 1, *, request_id: str = "", timeout: Optional[float] = None
    ) -> list["Scene"]:
        """Exact copies: so many, or of these names."""
        call = calls.fork_scene(self.name, copies, request_id)
        return [Scene(self.client, name) for name in self.client.run(call, timeout)]

    def download(self, *, timeout: Optional[float] = None) -> bytes:
        """A snapshot of the state now, as bytes that create_scene() takes."""
        return b"".join(self.client.chunks(calls.download_snapshot(scene=self.name), timeout))

    def delete(self, *, timeout: Optional[float] = None) -> None:
        """Deletes the scene."""
        self.client.run(calls.delete_scene(self.name), timeout)


def connect(
    address: str,
    *,
    timeout: Optional[float] = None,
    wait: float = 10.0,
    access: Optional[Access] = None,
    message_mib: int = MESSAGE_MIB,
) -> Client:
    """A client of the server at `address`, once it answers.

    UnavailableError: it did not within `wait` seconds. The rest as of Client: `timeout` is the default deadline of
    calls, None for none; `access` has certificates and token; `message_mib` is the largest message.
    """
    client = Client(address, timeout=timeout, access=access, message_mib=message_mib)
    try:
        client.wait_until_ready(wait)
    except BaseException as error:
        client.close()
        if isinstance(error, TimeoutError):
            raise make_error(Code.UNAVAILABLE, str(error), None) from None
        raise
    return client


__all__ = ["Client", "EventWatch", "Pending", "Scene", "Stream", "TalusError", "Watch", "connect"]
