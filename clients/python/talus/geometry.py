"""Numbers as messages of geometry.proto."""

from __future__ import annotations

from typing import Sequence

from talus.v1 import geometry_pb2

Triple = Sequence[float]


def vector(values: Triple) -> geometry_pb2.Vector3:
    """Three components as a message."""
    x, y, z = values
    return geometry_pb2.Vector3(x=x, y=y, z=z)


def quaternion(values: Sequence[float]) -> geometry_pb2.Quaternion:
    """w, x, y, z as a message."""
    w, x, y, z = values
    return geometry_pb2.Quaternion(w=w, x=x, y=y, z=z)
