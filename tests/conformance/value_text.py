"""The canonical text of a value, the same bytes from every runner."""

import struct
from typing import Any

from value_path import ABSENT


def show(value: Any, kind: str) -> str:
    """`kind` is a ValueKind without its prefix, or ABSENT."""
    if value is ABSENT:
        return "absent"
    if kind == "NUMBER":
        return struct.pack(">d", value).hex()
    if kind == "INTEGER":
        return str(int(value))
    if kind == "TEXT":
        return _quote(value) if isinstance(value, str) else str(value)
    if kind == "ENUMERATOR":
        return _enumerator(value)
    if kind == "BOOLEAN":
        return "true" if value else "false"
    if kind == "BYTES":
        return f"bytes({len(value)})"
    return str(value)


def _enumerator(value: Any) -> str:
    if isinstance(value, str):
        return value
    descriptor = getattr(value, "descriptor", None)
    found = descriptor.values_by_number.get(int(value)) if descriptor is not None else None
    return found.name if found else str(int(value))


def _quote(text: str) -> str:
    plain = "".join(
        chr(byte) if 0x20 <= byte <= 0x7E and byte not in b'"\\' else f"\\x{byte:02x}" for byte in text.encode()
    )
    return f'"{plain}"'


def bits_equal(a: Any, b: Any) -> bool:
    """Equal, doubles by their bits."""
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    return type(a) is type(b) and a == b
