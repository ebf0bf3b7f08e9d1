"""The asyncio client: the names and arguments of talus.client, to be awaited.

    async with talus.aio.connect("127.0.0.1:50051") as client:
        scene = await client.create_scene("scene.json")
        result = await scene.step(100, positions=True)
        async for frame in scene.watch(rate_hz=30):
            ...

What differs: cancelling the task that awaits a step cancels the step on the server (but one of submit_step());
connect() does not wait for the server unless told to; a client and what came from it belong to one event loop.
"""

from __future__ import annotations

import asyncio
import weakref
from types import TracebackType
from typing import Any, Iterable, Optional, Sequence, Type, TypeVar, Union

import grpc.aio

from talus import calls, methods, models, stepping
from talus.access import Access
from talus.aio_control import Control
from talus.aio_errors import translated
from talus.aio_queries import SceneQueries
from talus.aio_steps import SceneSteps
from talus.aio_streams import Pending, Stream, Watch
from talus.calls import Call, Features, SceneInfo, ServerInfo, SnapshotInfo, StepResult, WatchFrame
from talus.channel import MESSAGE_MIB, open_channel, open_methods
from talus.errors import Code, TalusError, make_error
from talus.frames import Layout
from talus.listing import PAGE_SIZE, NamedSceneInfo, list_named_scenes
from talus.methods import Method
from talus.models import Model, ModelReport
from talus.problems import FlatLawSettings, ProblemSolution, ProblemSource, PsorSettings
from talus.recordings import AsyncRecordings
from talus.scene import SpecSource
from talus.trough import Axis, RollingSurface
from talus.updating import update_bodies
from talus.v1 import scene_pb2
from talus.v1.control_pb2 import ControlRequest
from talus.v1.simulation_service_pb2 import StepRequest

T = TypeVar("T")


class Client:
    """A connection to one server. An asynchronous context manager."""

    _patience: Optional[float] = None
    """Seconds that entering the block waits for the server to answer; None: it does not."""

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
        self._channel = open_channel(grpc.aio, address, access, message_mib)
        self._methods = open_methods(self._channel, access)
        self._streams: "weakref.WeakSet[Any]" = weakref.WeakSet()
        self.recordings = AsyncRecordings(self)

    async def __aenter__(self) -> "Client":
        if self._patience is not None:
            try:
                await self.wait_until_ready(self._patience)
            except BaseException as error:
                await self.close()
                if isinstance(error, TimeoutError):
                    raise make_error(Code.UNAVAILABLE, str(error), None) from None
                raise
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the channel; calls under way end with CallCancelledError."""
        for stream in list(self._streams):
            stream.cancel()  # gRPC would leave whoever reads it waiting
        await self._channel.close()

    async def wait_until_ready(self, timeout: float = 10.0) -> None:
        """Waits until the server answers. TimeoutError: it did not within `timeout` seconds."""
        try:
            await asyncio.wait_for(self._channel.channel_ready(), timeout)
        except asyncio.TimeoutError:
            raise TimeoutError(f"no server at {self.address} within {timeout} s") from None

    async def info(self, *, timeout: Optional[float] = None) -> ServerInfo:
        """Version, machine and limits of the server."""
        return await self.run(calls.get_server_info(), timeout)

    async def features(self, *, timeout: Optional[float] = None) -> Features:
        """What the server offers, in the words of the ROS 2 standard simulation_interfaces."""
        return await self.run(calls.get_features(), timeout)

    async def create_scene(
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
        """Makes a scene; see talus.client.Client.create_scene."""
        call = calls.create_scene(source, name, snapshot, request_id, named_scene, idle_ttl)
        return Scene(self, await self.run(call, timeout))

    async def create_robot_scene(
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
        scene, report = await self.run(models.create_scene(model, around, name, request_id), timeout)
        return Scene(self, scene), report

    def scene(self, name: str) -> "Scene":
        """The scene of that name; whether it exists is found out by the first call on it."""
        return Scene(self, calls.scene_name(name))

    async def scenes(self, page_size: int = PAGE_SIZE, *, timeout: Optional[float] = None) -> list[SceneInfo]:
        """All scenes, by name; `timeout` is that of each page."""
        infos, token = await self.run(calls.list_scenes("", page_size), timeout)
        while token:
            page, token = await self.run(calls.list_scenes(token, page_size), timeout)
            infos += page
        return infos

    async def named_scenes(
        self, page_size: int = PAGE_SIZE, *, timeout: Optional[float] = None
    ) -> list[NamedSceneInfo]:
        """The scenes that create_scene() makes by `named_scene`, by name; `timeout` is that of each page."""
        infos, token = await self.run(list_named_scenes("", page_size), timeout)
        while token:
            page, token = await self.run(list_named_scenes(token, page_size), timeout)
            infos += page
        return infos

    async def snapshots(self, page_size: int = PAGE_SIZE, *, timeout: Optional[float] = None) -> list[SnapshotInfo]:
        """All stored snapshots, by name; `timeout` is that of each page."""
        infos, token = await self.run(calls.list_snapshots("", page_size), timeout)
        while token:
            page, token = await self.run(calls.list_snapshots(token, page_size), timeout)
            infos += page
        return infos

    async def delete_snapshot(self, name: str, *, timeout: Optional[float] = None) -> None:
        """Deletes a stored snapshot."""
        await self.run(calls.delete_snapshot(name), timeout)

    async def snapshot_info(self, name: str, *, timeout: Optional[float] = None) -> SnapshotInfo:
        """What the server tells about a stored snapshot."""
        return await self.run(calls.get_snapshot(name), timeout)

    async def upload_snapshot(self, data: bytes, name: str = "", *, timeout: Optional[float] = None) -> SnapshotInfo:
        """Stores the bytes of a snapshot that was downloaded before, here or from another server."""
        return await self.run(calls.upload_snapshot(data, name), timeout)

    async def download_snapshot(self, name: str, *, timeout: Optional[float] = None) -> bytes:
        """The bytes of a stored snapshot."""
        return b"".join([chunk async for chunk in self.chunks(calls.download_snapshot(snapshot=name), timeout)])

    async def solve(
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
        """Solves a contact problem; see talus.client.Client.solve."""
        return await self.run(calls.solve(source, law, solver, tolerance, max_sweeps, psor, flat_law), timeout)

    async def analyze_rolling_transition(
        self, body: calls.RollingBody, *, timeout: Optional[float] = None
    ) -> calls.RollingTransition:
        """What a body that rolls on two contact points does next: which of RR, RS, SR, SS it can go on in, and how."""
        return await self.run(calls.analyze_rolling_transition(body), timeout)

    async def rolling_loads(
        self,
        body: calls.RollingBody,
        axes: Sequence[Axis],
        *,
        reach: Optional[float] = None,
        cells: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> RollingSurface:
        """The loads a body just rolls on under, as a mesh; see talus.client.Client.rolling_loads."""
        return await self.run(calls.rolling_loads(body, axes, reach, cells), timeout)

    async def trough_surface(
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
        return await self.run(calls.trough_surface(sliding_friction, inertia_ratio, body, cells), timeout)

    async def batch_step(
        self, requests: Iterable[StepRequest], timeout: Optional[float] = None
    ) -> list[Union[StepResult, TalusError]]:
        """Steps many scenes at once; see talus.client.Client.batch_step."""
        return await self.run(stepping.batch_step(requests), timeout)

    async def open_control(self, opening: ControlRequest, timeout: Optional[float] = None) -> Control:
        """See Scene.control."""
        return await Control(self._open(methods.CONTROL, timeout=timeout)).open(opening)

    async def run(self, call: Call[T], timeout: Optional[float] = None, lease: str = "") -> T:
        """Makes a call, under a lease where one is given, and waits for its answer."""
        invoke = self._methods[call.method.path]
        wait = timeout if timeout is not None else self.timeout
        with translated():
            response = await invoke(call.request, timeout=wait, metadata=stepping.lease_metadata(lease))
        return call.decode(response)

    def submit(self, call: Call[T], timeout: Optional[float] = None, lease: str = "") -> Pending[T]:
        """Makes a call and does not wait."""
        return Pending(self.run(call, timeout, lease))

    def chunks(self, call: Call[bytes], timeout: Optional[float] = None) -> Stream[bytes]:
        """As stream(), for a download: the client's timeout holds where none is given."""
        return self.stream(call, timeout if timeout is not None else self.timeout)

    def stream(self, call: Call[T], timeout: Optional[float] = None) -> Stream[T]:
        """Makes a server-streaming call; its messages come as the stream is iterated."""
        return Stream(self._open(call.method, call.request, timeout=timeout), call.decode)

    def watch(self, call: Call[WatchFrame], timeout: Optional[float] = None) -> Watch:
        """As stream(), for frames."""
        return Watch(self._open(call.method, call.request, timeout=timeout), call.decode)

    def _open(self, method: Method[Any, Any], *request: Any, timeout: Optional[float]) -> Any:
        stream = self._methods[method.path](*request, timeout=timeout)
        self._streams.add(stream)
        return stream


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

    async def add_bodies(
        self,
        bodies: Iterable[scene_pb2.BodySpec],
        materials: Iterable[scene_pb2.NamedMaterial] = (),
        joints: Iterable[scene_pb2.JointSpec] = (),
        *,
        timeout: Optional[float] = None,
    ) -> list[int]:
        """Adds bodies, and joints that may hold them, all or none; the bodies' ids in order."""
        return await self.client.run(calls.add_bodies(self.name, bodies, materials, joints), timeout, self.lease)

    async def import_model(
        self,
        model: Model,
        materials: Iterable[scene_pb2.NamedMaterial] = (),
        *,
        timeout: Optional[float] = None,
    ) -> ModelReport:
        """Puts a robot into the scene, all of it or nothing, and tells what became of it. The scene's solver must take
        joints, as NEWTON does; `materials` are those the scene lacks."""
        return await self.client.run(models.import_model(self.name, model, materials), timeout, self.lease)

    async def remove_bodies(self, *bodies: Union[int, str], timeout: Optional[float] = None) -> Layout:
        """Removes bodies by id or name, all or none; the new layout."""
        return await self.client.run(calls.remove_bodies(self.name, bodies), timeout, self.lease)

    async def update_bodies(
        self, updates: Iterable[scene_pb2.BodyUpdate], *, timeout: Optional[float] = None
    ) -> SceneInfo:
        """Sets poses and velocities of bodies, all or none, from the next step on; talus.body_update() makes one."""
        return await self.client.run(update_bodies(self.name, updates), timeout, self.lease)

    async def add_emitters(
        self,
        emitters: Iterable[scene_pb2.EmitterSpec],
        materials: Iterable[scene_pb2.NamedMaterial] = (),
        *,
        timeout: Optional[float] = None,
    ) -> SceneInfo:
        """Adds emitters, all or none."""
        return await self.client.run(calls.add_emitters(self.name, emitters, materials), timeout, self.lease)

    async def remove_emitters(self, *names: str, timeout: Optional[float] = None) -> SceneInfo:
        """Removes emitters by name, all or none; their particles stay."""
        return await self.client.run(calls.remove_emitters(self.name, names), timeout, self.lease)

    async def add_joints(
        self, joints: Iterable[scene_pb2.JointSpec], *, timeout: Optional[float] = None
    ) -> list[int]:
        """Adds joints, all or none; their ids in order. The scene's solver must take joints, as NEWTON does."""
        return await self.client.run(calls.add_joints(self.name, joints), timeout, self.lease)

    async def remove_joints(self, *joints: Union[int, str], timeout: Optional[float] = None) -> SceneInfo:
        """Removes joints by id or name, all or none."""
        return await self.client.run(calls.remove_joints(self.name, joints), timeout, self.lease)

    async def snapshot(self, name: str = "", *, timeout: Optional[float] = None) -> SnapshotInfo:
        """Stores a snapshot on the server."""
        return await self.client.run(calls.create_snapshot(self.name, name), timeout)

    async def restore(self, snapshot: str, *, timeout: Optional[float] = None) -> SceneInfo:
        """Puts the scene back to a stored snapshot."""
        return await self.client.run(calls.restore_snapshot(self.name, snapshot), timeout, self.lease)

    async def fork(
        self, copies: Union[int, Sequence[str]] = 1, *, request_id: str = "", timeout: Optional[float] = None
    ) -> list["Scene"]:
        """Exact copies: so many, or of these names."""
        call = calls.fork_scene(self.name, copies, request_id)
        return [Scene(self.client, name) for name in await self.client.run(call, timeout)]

    async def download(self, *, timeout: Optional[float] = None) -> bytes:
        """A snapshot of the state now, as bytes that create_scene() takes."""
        call = calls.download_snapshot(scene=self.name)
        return b"".join([chunk async for chunk in self.client.chunks(call, timeout)])

    async def delete(self, *, timeout: Optional[float] = None) -> None:
        """Deletes the scene."""
        await self.client.run(calls.delete_scene(self.name), timeout)


def connect(
    address: str,
    *,
    timeout: Optional[float] = None,
    wait: Optional[float] = None,
    access: Optional[Access] = None,
    message_mib: int = MESSAGE_MIB,
) -> Client:
    """A client of the server at `address`. With `wait` its block is entered once the server answers; UnavailableError:
    it did not within so many seconds. Without, the first call finds out. All else as of talus.connect()."""
    client = Client(address, timeout=timeout, access=access, message_mib=message_mib)
    client._patience = wait
    return client
