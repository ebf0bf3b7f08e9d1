"""Lock-step control of a scene with asyncio; see talus.control.

    async with await scene.control([push]) as control:
        state = await control.step([1.0, 0, 0, 0, 0, 0])
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Iterable, Optional, Type

import grpc.aio

from talus.errors import Code, from_rpc_error, make_error
from talus.frames import Layout
from talus.stepping import ControlOpening, ControlState, control_step, error_of
from talus.v1 import control_pb2


class Control:
    """One Control stream, used from one task. An asynchronous context manager."""

    opening: ControlOpening
    layout: Layout

    def __init__(self, method: Any, timeout: Optional[float]) -> None:
        self._stream = method(timeout=timeout)

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
        await self._write(control_step(values, 0 if count == 1 else count, expected_step_index, timeout))
        response = await self._read()
        if response.HasField("error"):
            raise error_of(response.error)
        state = ControlState(response.stepped)
        self.layout = state.frame.layout or self.layout
        return state

    async def close(self) -> None:
        """Gives the scene back."""
        try:
            await self._stream.done_writing()
            while await self._stream.read() is not grpc.aio.EOF:
                pass
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from None

    def cancel(self) -> None:
        """As close(), without waiting for what is under way."""
        self._stream.cancel()

    async def _write(self, request: control_pb2.ControlRequest) -> None:
        try:
            await self._stream.write(request)
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from None
        except asyncio.InvalidStateError:
            pass  # it has ended, and reading tells why

    async def _read(self) -> control_pb2.ControlResponse:
        try:
            response = await self._stream.read()
        except grpc.aio.AioRpcError as error:
            raise from_rpc_error(error) from None
        if response is grpc.aio.EOF:
            code = await self._stream.code()
            if code is not grpc.StatusCode.OK:
                raise make_error(Code(code.value[0]), await self._stream.details() or "", None)
            raise make_error(Code.CANCELLED, "the control is closed", None)
        return response  # type: ignore[no-any-return]
