"""How this client opens channels: one set of options for the sync and the asyncio client."""

from __future__ import annotations

from typing import Any, Union

from talus import methods

MESSAGE_BYTES = 64 << 20  # the server's default limit on one message, either way

OPTIONS: list[tuple[str, Union[int, str]]] = [
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    ("grpc.max_send_message_length", MESSAGE_BYTES),
    # Local by nature: a proxy from the environment would swallow loopback addresses.
    ("grpc.enable_http_proxy", 0),
]


def open_methods(channel: Any) -> dict[str, Any]:
    """Path -> multi-callable of every RPC, on a grpc or a grpc.aio channel."""
    opened: dict[str, Any] = {}
    for method in methods.ALL:
        kind = channel.unary_stream if method.streams else channel.unary_unary
        if method.takes_stream:
            kind = channel.stream_unary
        opened[method.path] = kind(
            method.path,
            request_serializer=method.request_type.SerializeToString,
            response_deserializer=method.response_type.FromString,
        )
    return opened
