"""What a client shows the server, and what it asks the server to show: certificates and a token.

    talus.connect("sim.example:50051", access=talus.Access.load(ca="ca.pem", token_file="token"))

Without any of it a connection is plain text, for loopback and unix sockets. A token never leaves the machine in plain
text.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union

import grpc

PathLike = Union[str, Path]


@dataclass(frozen=True)
class Access:
    """Certificates as PEM, and a token."""

    tls: bool = False
    """Speak TLS."""
    ca: Optional[bytes] = None
    """Authorities the server's certificate must lead to; None: those gRPC knows."""
    certificate: Optional[bytes] = None
    """The client's own certificate, with `key`, where the server asks for one."""
    key: Optional[bytes] = field(default=None, repr=False)
    """Its private key."""
    server_name: Optional[str] = None
    """Name the server's certificate must have; None: the address's."""
    token: Optional[str] = field(default=None, repr=False)
    """Sent with every call."""

    @staticmethod
    def load(
        *,
        ca: Optional[PathLike] = None,
        certificate: Optional[PathLike] = None,
        key: Optional[PathLike] = None,
        token_file: Optional[PathLike] = None,
        token: Optional[str] = None,
        server_name: Optional[str] = None,
        tls: bool = False,
    ) -> "Access":
        """The access that files stand for; any of them but the token's makes it TLS. OSError names a file that cannot be
        read, ValueError one without a token."""
        if token_file is not None:
            token = Path(token_file).read_text().split("\n", 1)[0].strip()
            if not token:
                raise ValueError(f"{token_file} holds no token")
        return Access(
            tls=tls or any(path is not None for path in (ca, certificate, key)),
            ca=_read(ca),
            certificate=_read(certificate),
            key=_read(key),
            server_name=server_name,
            token=token,
        )

    def check(self, address: str) -> None:
        """ValueError: this cannot be used with `address`."""
        if (self.certificate is None) != (self.key is None):
            raise ValueError("a client certificate and its key need each other")
        if self.token is not None and not self.tls and not is_local(address):
            raise ValueError(f"a token is not sent to {address} in plain text: use TLS")

    def credentials(self) -> Any:
        """Of a gRPC channel; None: plain text."""
        if not self.tls:
            return None
        return grpc.ssl_channel_credentials(self.ca, self.key, self.certificate)

    def options(self) -> list[tuple[str, str]]:
        """Of a gRPC channel."""
        return [("grpc.ssl_target_name_override", self.server_name)] if self.server_name else []

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """Of every call."""
        return (("authorization", f"Bearer {self.token}"),) if self.token is not None else ()


def is_local(address: str) -> bool:
    """Whether `address` is reached without leaving this machine."""
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _read(path: Optional[PathLike]) -> Optional[bytes]:
    return None if path is None else Path(path).read_bytes()
