"""Lock-step control of a scene, synchronous: one request, one answer, in order.

A Control holds the lease on its scene from opening to close(); other callers' changes are refused meanwhile. It is used
from one thread; an answer that tells of a failed request raises, and the stream goes on.
"""

from __future__ import annotations

import queue
from types import TracebackType
from typing import Any, Iterable, Iterator, Optional, Type

import grpc

from talus.errors import Code, from_rpc_error, make_error
from talus.frames import Layout
from talus.stepping import ControlOpening, ControlState, control_step, error_of
from talus.v1 import control_pb2


class Control:
    """One Control stream. A context manager."""

    layout: Layout
    """What the rows of the last frame are."""

    def __init__(self, method: Any, opening: control_pb2.ControlRequest, timeout: Optional[float]) -> None:
        self._requests: "queue.SimpleQueue[Optional[control_pb2.ControlRequest]]" = queue.SimpleQueue()
        self._requests.put(opening)
        self._stream = method(iter(self._requests.get, None), timeout=timeout)
        self._closed = False
        response = self._next()
        self.opening = ControlOpening(response.opened)
        self.layout = self.opening.layout

    def __enter__(self) -> "Control":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if error is None:
            self.close()
        else:
            self.cancel()

    @property
    def lease(self) -> str:
        """The token with which other calls may change the scene meanwhile: Scene.under(control.lease)."""
        return self.opening.lease

    def step(
        self,
        values: Iterable[float] = (),
        count: int = 1,
        *,
        expected_step_index: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> ControlState:
        """Makes `count` steps under these values (none: as they are) and answers once they are done."""
        self.submit(values, count, expected_step_index=expected_step_index, timeout=timeout)
        return self.receive()

    def submit(
        self,
        values: Iterable[float] = (),
        count: int = 1,
        *,
        expected_step_index: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Sends a request without waiting; receive() brings the answers, in order."""
        if self._closed:
            raise make_error(Code.CANCELLED, "the control is closed", None)
        self._requests.put(control_step(values, 0 if count == 1 else count, expected_step_index, timeout))

    def receive(self) -> ControlState:
        """The answer to the oldest request that has none yet."""
        response = self._next()
        if response.HasField("error"):
            raise error_of(response.error)
        state = ControlState(response.stepped)
        self.layout = state.frame.layout or self.layout
        return state

    def close(self) -> None:
        """Gives the scene back. Answers not yet received are dropped."""
        if self._closed:
            return
        self._closed = True
        self._requests.put(None)
        for _ in self._rest():
            pass

    def cancel(self) -> None:
        """As close(), without waiting for what is under way."""
        self._closed = True
        self._requests.put(None)
        self._stream.cancel()

    def _next(self) -> control_pb2.ControlResponse:
        try:
            return next(self._stream)  # type: ignore[no-any-return]
        except StopIteration:
            raise make_error(Code.CANCELLED, "the control is closed", None) from None
        except grpc.RpcError as error:
            self._closed = True
            self._requests.put(None)
            raise from_rpc_error(error) from None

    def _rest(self) -> Iterator[control_pb2.ControlResponse]:
        try:
            yield from self._stream
        except grpc.RpcError as error:
            raise from_rpc_error(error) from None
