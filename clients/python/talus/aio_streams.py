"""Calls of talus.aio that are under way: an answer to come, or messages that come one by one."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, AsyncIterator, Callable, Coroutine, Generic, Optional, Type, TypeVar

import grpc.aio

from talus.aio_errors import translated
from talus.calls import WatchFrame
from talus.errors import CallCancelledError, Code, make_error
from talus.frames import Layout
from talus.watching import Event, EventBatch

T = TypeVar("T")
S = TypeVar("S", bound="_EndsWithBlock")


class Pending(Generic[T]):
    """A call under way. Keep it: asyncio drops a task that nobody holds any more."""

    def __init__(self, answer: Coroutine[Any, Any, T]) -> None:
        self._task = asyncio.ensure_future(answer)

    def done(self) -> bool:
        """True once the call has ended in whatever way."""
        return self._task.done()

    def cancel(self) -> None:
        """As talus.pending.Pending.cancel."""
        self._task.cancel()

    async def result(self, timeout: Optional[float] = None) -> T:
        """Waits for the answer. TimeoutError: none came within `timeout` seconds; the call goes on, as it does when the
        task that waits is cancelled."""
        await asyncio.wait([self._task], timeout=timeout)
        if not self._task.done():
            raise TimeoutError(f"no answer within {timeout} s")
        if self._task.cancelled():
            raise make_error(Code.CANCELLED, "the call was cancelled", None)
        return self._task.result()


class _EndsWithBlock:
    """An asynchronous context manager that is cancelled at the block's end."""

    async def __aenter__(self: S) -> S:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.cancel()

    def cancel(self) -> None:
        """Ends the stream."""
        raise NotImplementedError


class Stream(_EndsWithBlock, AsyncIterator[T]):
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


class EventWatch(_EndsWithBlock, AsyncIterator[Event]):
    """The events of a scene as they come."""

    def __init__(self, stream: Stream[EventBatch]) -> None:
        self._stream = stream
        self._waiting: list[Event] = []
        self._begin: Optional[int] = None

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
