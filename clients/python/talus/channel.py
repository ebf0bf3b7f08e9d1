"""How this client opens channels: one set of options for the sync and the asyncio client."""

from __future__ import annotations

from typing import Any, Optional, Union

from talus import methods
from talus.access import Access

MESSAGE_MIB = 64  # the server's default limit on one message, either way
MOST_MESSAGE_MIB = 2047  # gRPC counts the bytes of a message in int

OPTIONS: list[tuple[str, Union[int, str]]] = [
    # Local by nature: a proxy from the environment would swallow loopback addresses.
    ("grpc.enable_http_proxy", 0),
    # While a call waits, a server that was silent for 15 s is pinged; one that leaves the ping without an answer ends its
    # calls with UNAVAILABLE. The server takes a ping every 10 s.
    ("grpc.keepalive_time_ms", 15_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.max_pings_without_data", 0),
    # A server that comes back is found within so long, whatever other channels have met there.
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.use_local_subchannel_pool", 1),
]


def check_message_mib(message_mib: int) -> None:
    """ValueError: it is no integer from 1 to MOST_MESSAGE_MIB."""
    if not isinstance(message_mib, int) or not 1 <= message_mib <= MOST_MESSAGE_MIB:
        raise ValueError(f"message_mib {message_mib!r} must be an integer from 1 to {MOST_MESSAGE_MIB}")


def open_channel(api: Any, address: str, access: Optional[Access], message_mib: int) -> Any:
    """A channel of `api`, which is grpc or grpc.aio. ValueError: the access cannot be used with the address, or as of
    check_message_mib."""
    check_message_mib(message_mib)
    access = access or Access()
    access.check(address)
    message_bytes = message_mib << 20
    options = [
        *OPTIONS,
        ("grpc.max_receive_message_length", message_bytes),
        ("grpc.max_send_message_length", message_bytes),
        *access.options(),
    ]
    credentials = access.credentials()
    if credentials is None:
        return api.insecure_channel(address, options=options)
    return api.secure_channel(address, credentials, options=options)


class _WithMetadata:
    """A multi-callable that sends the same metadata with every call, beside what the call itself brings."""

    def __init__(self, inner: Any, metadata: Any) -> None:
        self._inner = inner
        self._metadata = metadata

    def __call__(self, *request: Any, timeout: Optional[float] = None, metadata: Any = None) -> Any:
        return self._inner(*request, timeout=timeout, metadata=self._join(metadata))

    def future(self, *request: Any, timeout: Optional[float] = None, metadata: Any = None) -> Any:
        """As the multi-callable's."""
        return self._inner.future(*request, timeout=timeout, metadata=self._join(metadata))

    def _join(self, metadata: Any) -> Any:
        return (*self._metadata, *(metadata or ()))


def open_methods(channel: Any, access: Optional[Access] = None) -> dict[str, Any]:
    """Path -> multi-callable of every RPC, on a grpc or a grpc.aio channel."""
    metadata = access.metadata() if access is not None else ()
    opened: dict[str, Any] = {}
    for method in methods.ALL:
        kind = channel.unary_stream if method.streams else channel.unary_unary
        if method.takes_stream:
            kind = channel.stream_unary
        if method.converses:
            kind = channel.stream_stream
        callable_ = kind(
            method.path,
            request_serializer=method.request_type.SerializeToString,
            response_deserializer=method.response_type.FromString,
        )
        opened[method.path] = _WithMetadata(callable_, metadata) if metadata else callable_
    return opened
