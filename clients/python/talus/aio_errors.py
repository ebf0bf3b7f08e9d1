"""What gRPC raises in asyncio calls, as the exceptions of this package."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Iterator

import grpc.aio

from talus.errors import Code, from_rpc_error, make_error


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """The block's failures of calls as TalusErrors.

    gRPC raises CancelledError in whoever waits for a call that was cancelled, too. It would end a task that nobody
    cancelled, past every `except Exception`; CallCancelledError says the same of the call alone.
    """
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from None
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise make_error(Code.CANCELLED, "the call was cancelled", None) from None
