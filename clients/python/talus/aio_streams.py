"""What watches of talus.aio give: messages, frames and events as they come."""

from __future__ import annotations

from typing import Any, AsyncIterator, Callable, Optional, TypeVar

import grpc.aio

from talus.aio_errors import translated
from talus.calls import WatchFrame
from talus.errors import CallCancelledError
from talus.frames import Layout
from talus.watching import Event, EventBatch

T = TypeVar("T")


class Stream(AsyncIterator[T]):
    """The messages of a server-streaming call as they come. Ends when the server ends it or on cancel()."""

    def __init__(self, stream: Any, decode: Callable[[Any], T]) -> None:
        self._stream = stream
        self._decode = decode
        self._cancelled = False

    async def __anext__(self) -> T:
        if self._cancelled:
            raise StopAsyncIteration
        try:
            with translated():
                response = await self._stream.read()
        except CallCancelledError:
            if self._cancelled:
                raise StopAsyncIteration from None
            raise
        if response is grpc.aio.EOF:
            raise StopAsyncIteration
        return self._decode(response)

    def cancel(self) -> None:
        """Ends the stream."""
        self._cancelled = True
        self._stream.cancel()


class Watch(Stream[WatchFrame]):
    """The frames of a scene as they come."""

    layout: Optional[Layout] = None
    """The layout the last frame's rows follow."""

    async def __anext__(self) -> WatchFrame:
        frame = await super().__anext__()
        self.layout = frame.layout or self.layout
        return frame


class EventWatch:
    """The events of a scene as they come."""

    def __init__(self, stream: Stream[EventBatch]) -> None:
        self._stream = stream
        self._waiting: list[Event] = []
        self._begin: Optional[int] = None

    def __aiter__(self) -> EventWatch:
        return self

    async def begin(self) -> int:
        """Waits until the server watches; see talus.pending.EventWatch.begin."""
        if self._begin is None:
            self._begin = (await self._stream.__anext__()).step_index
        return self._begin

    async def __anext__(self) -> Event:
        await self.begin()
        while not self._waiting:
            self._waiting = (await self._stream.__anext__()).events
        return self._waiting.pop(0)

    def cancel(self) -> None:
        """Ends the stream."""
        self._stream.cancel()
