"""Recordings kept on the server: started, ended, listed, fetched and made again.

`client.recordings` of the sync client is a Recordings, of the asyncio client an AsyncRecordings; both have the same names
and arguments.
"""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Optional, Union

from talus import methods
from talus.calls import Call, _call, scene_name
from talus.choices import choose
from talus.v1 import recording_service_pb2 as messages

if TYPE_CHECKING:
    from talus import aio
    from talus.client import Client

Recording = messages.Recording
Replay = messages.ReplayInputsResponse

PAGE_SIZE = 1000
_BEHIND = {"drop_frames": messages.BEHIND_POLICY_DROP_FRAMES, "stop": messages.BEHIND_POLICY_STOP}


def recording_name(name: str) -> str:
    """`recordings/{recording}` from either form."""
    return name if name.startswith("recordings/") else f"recordings/{name}"


def _start(
    scene: str,
    name: str,
    positions: bool,
    orientations: bool,
    velocities: bool,
    contacts: bool,
    diagnostics: bool,
    every_n_steps: int,
    when_behind: str,
) -> Call[Recording]:
    selection = messages.RecordingSelection(
        positions=positions,
        orientations=orientations,
        velocities=velocities,
        contacts=contacts,
        diagnostics=diagnostics,
    )
    request = messages.StartRecordingRequest(
        scene=scene_name(scene),
        recording_id=name,
        selection=selection,
        every_n_steps=every_n_steps,
        when_behind=choose("when_behind", when_behind, _BEHIND),
    )
    return _call(methods.START_RECORDING, request, lambda response: response.recording)


def _stop(name: str) -> Call[Recording]:
    request = messages.StopRecordingRequest(recording=recording_name(name))
    return _call(methods.STOP_RECORDING, request, lambda response: response.recording)


def _get(name: str) -> Call[Recording]:
    request = messages.GetRecordingRequest(recording=recording_name(name))
    return _call(methods.GET_RECORDING, request, lambda response: response.recording)


def _list(page_token: str) -> Call[tuple[list[Recording], str]]:
    request = messages.ListRecordingsRequest(page_token=page_token, page_size=PAGE_SIZE)
    return _call(methods.LIST_RECORDINGS, request, lambda r: (list(r.recordings), str(r.next_page_token)))


def _delete(name: str) -> Call[None]:
    request = messages.DeleteRecordingRequest(recording=recording_name(name))
    return _call(methods.DELETE_RECORDING, request, lambda _: None)


def _download(name: str) -> Call[bytes]:
    request = messages.DownloadRecordingRequest(recording=recording_name(name))
    return _call(methods.DOWNLOAD_RECORDING, request, lambda response: response.chunk)


def _replay(name: str, scene: str) -> Call[Replay]:
    request = messages.ReplayInputsRequest(recording=recording_name(name), scene_id=scene)
    return _call(methods.REPLAY_INPUTS, request, lambda response: response)


class _Writing:
    """A file that gets its name once it is whole."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self._path = pathlib.Path(path)
        self._beside = self._path.with_name(self._path.name + ".tmp")

    def __enter__(self) -> "_Writing":
        self._file = open(self._beside, "wb")
        return self

    def write(self, chunk: bytes) -> None:
        self._file.write(chunk)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._file.close()
        if kind is None:
            os.replace(self._beside, self._path)
        else:
            self._beside.unlink()


class Recordings:
    """The recordings of one server."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def start(
        self,
        scene: str,
        name: str = "",
        *,
        positions: bool = True,
        orientations: bool = True,
        velocities: bool = False,
        contacts: bool = False,
        diagnostics: bool = False,
        every_n_steps: int = 1,
        when_behind: str = "drop_frames",
        timeout: Optional[float] = None,
    ) -> Recording:
        """Begins to record a scene: its inputs, and the chosen columns every so many steps. When the disk cannot follow,
        frames are left out and counted ("drop_frames") or the recording ends ("stop"). The server chooses the name when
        none is given."""
        call = _start(
            scene, name, positions, orientations, velocities, contacts, diagnostics, every_n_steps, when_behind
        )
        return self._client.run(call, timeout)

    def stop(self, name: str, *, timeout: Optional[float] = None) -> Recording:
        """Ends a recording; its file is finished when this returns."""
        return self._client.run(_stop(name), timeout)

    def get(self, name: str, *, timeout: Optional[float] = None) -> Recording:
        """What the server tells about a recording."""
        return self._client.run(_get(name), timeout)

    def list(self, *, timeout: Optional[float] = None) -> "list[Recording]":
        """All recordings, by name; `timeout` is that of each page."""
        found, token = self._client.run(_list(""), timeout)
        while token:
            page, token = self._client.run(_list(token), timeout)
            found += page
        return found

    def delete(self, name: str, *, timeout: Optional[float] = None) -> None:
        """Deletes a recording that has ended."""
        self._client.run(_delete(name), timeout)

    def download(self, name: str, path: Union[str, "os.PathLike[str]"], *, timeout: Optional[float] = None) -> None:
        """Writes the MCAP file of a recording to `path`, whole or not at all."""
        with _Writing(path) as file:
            for chunk in self._client.chunks(_download(name), timeout):
                file.write(chunk)

    def replay(self, name: str, scene: str = "", *, timeout: Optional[float] = None) -> Replay:
        """Makes a recording again and compares every hash; `mismatch` is set where it first led elsewhere. With `scene`
        the scene it was made in stays under that name."""
        return self._client.run(_replay(name, scene), timeout)


class AsyncRecordings:
    """The recordings of one server, to be awaited; see Recordings."""

    def __init__(self, client: "aio.Client") -> None:
        self._client = client

    async def start(
        self,
        scene: str,
        name: str = "",
        *,
        positions: bool = True,
        orientations: bool = True,
        velocities: bool = False,
        contacts: bool = False,
        diagnostics: bool = False,
        every_n_steps: int = 1,
        when_behind: str = "drop_frames",
        timeout: Optional[float] = None,
    ) -> Recording:
        """Begins to record a scene."""
        call = _start(
            scene, name, positions, orientations, velocities, contacts, diagnostics, every_n_steps, when_behind
        )
        return await self._client.run(call, timeout)

    async def stop(self, name: str, *, timeout: Optional[float] = None) -> Recording:
        """Ends a recording; its file is finished when this returns."""
        return await self._client.run(_stop(name), timeout)

    async def get(self, name: str, *, timeout: Optional[float] = None) -> Recording:
        """What the server tells about a recording."""
        return await self._client.run(_get(name), timeout)

    async def list(self, *, timeout: Optional[float] = None) -> "list[Recording]":
        """All recordings, by name; `timeout` is that of each page."""
        found, token = await self._client.run(_list(""), timeout)
        while token:
            page, token = await self._client.run(_list(token), timeout)
            found += page
        return found

    async def delete(self, name: str, *, timeout: Optional[float] = None) -> None:
        """Deletes a recording that has ended."""
        await self._client.run(_delete(name), timeout)

    async def download(
        self, name: str, path: Union[str, "os.PathLike[str]"], *, timeout: Optional[float] = None
    ) -> None:
        """Writes the MCAP file of a recording to `path`, whole or not at all."""
        with _Writing(path) as file:
            async for chunk in self._client.chunks(_download(name), timeout):
                file.write(chunk)

    async def replay(self, name: str, scene: str = "", *, timeout: Optional[float] = None) -> Replay:
        """Makes a recording again and compares every hash."""
        return await self._client.run(_replay(name, scene), timeout)
