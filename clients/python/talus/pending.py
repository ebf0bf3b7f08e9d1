"""Calls that are under way: an answer to come, or messages that come one by one. May be used from several threads."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Callable, Generic, Iterator, Optional, Type, TypeVar

import grpc

from talus.calls import Call, WatchFrame
from talus.errors import Code, from_rpc_error, make_error
from talus.frames import Layout
from talus.watching import Event, EventBatch

T = TypeVar("T")
S = TypeVar("S", bound="Stream[Any]")


class Pending(Generic[T]):
    """A call under way. Keep it: gRPC cancels a call that nobody holds any more."""

    def __init__(self, future: Any, call: Call[T]) -> None:
        self._future = future
        self._call = call

    def done(self) -> bool:
        """True once the call has ended in whatever way."""
        return bool(self._future.done())

    def cancel(self) -> None:
        """Asks the server to stop, if need be within a step, which is then not made; result() then raises CallCancelledError."""
        self._future.cancel()

    def result(self, timeout: Optional[float] = None) -> T:
        """Waits for the answer. TimeoutError: none came within `timeout` seconds; the call goes on."""
        try:
            return self._call.decode(self._future.result(timeout))
        except grpc.FutureTimeoutError:
            raise TimeoutError(f"no answer within {timeout} s") from None
        except grpc.FutureCancelledError:
            raise make_error(Code.CANCELLED, "the call was cancelled", None) from None
        except grpc.RpcError as error:
            raise from_rpc_error(error) from None


class Stream(Iterator[T]):
    """The messages of a server-streaming call as they come. Ends when the server ends it or on cancel()."""

    def __init__(self, stream: Any, decode: Callable[[Any], T]) -> None:
        self._stream = stream
        self._decode = decode
        self._cancelled = False

    def __enter__(self: S) -> S:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.cancel()

    def __next__(self) -> T:
        try:
            return self._decode(next(self._stream))
        except grpc.RpcError as error:
            if self._cancelled:
                raise StopIteration from None
            raise from_rpc_error(error) from None

    def cancel(self) -> None:
        """Ends the stream; may be called from another thread."""
        self._cancelled = True
        self._stream.cancel()


class Watch(Stream[WatchFrame]):
    """The frames of a scene as they come. Ends after frame_limit frames or on cancel(), raises when the scene goes."""

    layout: Optional[Layout] = None
    """The layout the last frame's rows follow."""

    def __next__(self) -> WatchFrame:
        frame = super().__next__()
        self.layout = frame.layout or self.layout
        return frame


class EventWatch(Iterator[Event]):
    """The events of a scene as they come. Ends on cancel(), raises when the scene goes, after its last event."""

    def __init__(self, stream: Stream[EventBatch]) -> None:
        self._stream = stream
        self._waiting: list[Event] = []
        self._begin: Optional[int] = None

    def __enter__(self) -> EventWatch:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.cancel()

    def begin(self) -> int:
        """Waits until the server watches; the scene's step index then. What happens from there on is reported."""
        if self._begin is None:
            self._begin = next(self._stream).step_index
        return self._begin

    def __next__(self) -> Event:
        self.begin()
        while not self._waiting:
            self._waiting = next(self._stream).events
        return self._waiting.pop(0)

    def cancel(self) -> None:
        """Ends the stream; may be called from another thread."""
        self._stream.cancel()
