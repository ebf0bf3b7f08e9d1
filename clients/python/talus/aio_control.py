"""Lock-step control of a scene with asyncio; see talus.control.

    async with await scene.control([push]) as control:
        state = await control.step([1.0, 0, 0, 0, 0, 0], timeout=0.5)

A step whose task is cancelled, asyncio.wait_for around it included, ends the whole stream; `timeout` bounds one step
and leaves the stream open.
"""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Any, Iterable, Iterator, Optional, Type

import grpc.aio

from talus.aio_errors import translated
from talus.errors import CallCancelledError, Code, TalusError, make_error
from talus.frames import Layout
from talus.stepping import ControlOpening, ControlState, control_step, error_of
from talus.v1 import control_pb2


class Control:
    """One Control stream, used from one task. An asynchronous context manager."""

    opening: ControlOpening
    layout: Layout

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._closed = False

    async def open(self, opening: control_pb2.ControlRequest) -> "Control":
        """To be called once, before anything else."""
        await self._write(opening)
        self.opening = ControlOpening((await self._read()).opened)
        self.layout = self.opening.layout
        return self

    async def __aenter__(self) -> "Control":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if error is None:
            await self.close()
        else:
            self.cancel()

    @property
    def lease(self) -> str:
        """As talus.control.Control.lease."""
        return self.opening.lease

    async def step(
        self,
        values: Iterable[float] = (),
        count: int = 1,
        *,
        expected_step_index: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> ControlState:
        """As talus.control.Control.step."""
        await self.submit(values, count, expected_step_index=expected_step_index, timeout=timeout)
        return await self.receive()

    async def submit(
        self,
        values: Iterable[float] = (),
        count: int = 1,
        *,
        expected_step_index: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Sends a request without waiting for its answer; receive() brings the answers, in order."""
        await self._write(control_step(values, 0 if count == 1 else count, expected_step_index, timeout))

    async def receive(self) -> ControlState:
        """The answer to the oldest request that has none yet."""
        response = await self._read()
        if response.HasField("error"):
            raise error_of(response.error)
        state = ControlState(response.stepped)
        self.layout = state.frame.layout or self.layout
        return state

    async def close(self) -> None:
        """Gives the scene back. Answers not yet received are dropped."""
        if self._closed:
            return
        self._closed = True
        with translated():
            await self._stream.done_writing()
            while await self._stream.read() is not grpc.aio.EOF:
                pass

    def cancel(self) -> None:
        """As close(), without waiting for what is under way."""
        self._closed = True
        self._stream.cancel()

    async def _write(self, request: control_pb2.ControlRequest) -> None:
        with self._using_stream(), contextlib.suppress(asyncio.InvalidStateError):
            # An InvalidStateError: it has ended, and reading tells why.
            await self._stream.write(request)

    async def _read(self) -> control_pb2.ControlResponse:
        with self._using_stream():
            response = await self._stream.read()
            if response is not grpc.aio.EOF:
                return response  # type: ignore[no-any-return]
            code = await self._stream.code()
            if code is not grpc.StatusCode.OK:
                raise make_error(Code(code.value[0]), await self._stream.details() or "", None)
            raise _closed_error()

    @contextlib.contextmanager
    def _using_stream(self) -> Iterator[None]:
        if self._closed:
            raise _closed_error()
        try:
            with translated():
                yield
        except (asyncio.CancelledError, CallCancelledError):
            self.cancel()  # a stream one of whose reads or writes was cancelled is of no use to gRPC
            raise


def _closed_error() -> TalusError:
    return make_error(Code.CANCELLED, "the control is closed", None)
