"""Rays into a scene, and what they hit, as numpy."""

from __future__ import annotations

from typing import Iterable, Optional, Union

import numpy as np
import numpy.typing as npt

from talus.frames import Flags, Floats, Indices
from talus.v1 import query_service_pb2, ray_pb2


class RayHits:
    """What n rays hit first, in their order: read-only views of the received bytes."""

    __slots__ = ("message",)

    def __init__(self, message: query_service_pb2.CastRaysResponse) -> None:
        self.message = message

    def __repr__(self) -> str:
        return f"RayHits(step_index={self.step_index}, rays={len(self)}, hit={int(self.hit.sum())})"

    def __len__(self) -> int:
        return len(self.message.hits.distances_m) // 8

    @property
    def step_index(self) -> int:
        """Index of the state that was looked at."""
        return int(self.message.step_index)

    @property
    def layout_version(self) -> int:
        """Version of its layout."""
        return int(self.message.layout_version)

    @property
    def hit(self) -> Flags:
        """(n,) True where something was hit."""
        return np.asarray(self.body_ids != 0)

    @property
    def distances(self) -> Floats:
        """(n,) from the origins to the hits, metres; infinite where nothing was hit, 0 from inside a body."""
        return np.frombuffer(self.message.hits.distances_m, "<f8")

    @property
    def body_ids(self) -> npt.NDArray[np.uint64]:
        """(n,) the bodies that were hit; 0: none."""
        return np.frombuffer(self.message.hits.body_ids, "<u8")

    @property
    def shapes(self) -> Indices:
        """(n,) index of the shape on that body, after containers were expanded to boxes."""
        return np.frombuffer(self.message.hits.shapes, "<u4")

    @property
    def points(self) -> Floats:
        """(n, 3) where, world frame, metres; 0 where nothing was hit."""
        return np.frombuffer(self.message.hits.points_world_m, "<f8").reshape(-1, 3)

    @property
    def normals(self) -> Floats:
        """(n, 3) unit normals there, world frame, out of the bodies; 0 where nothing was hit."""
        return np.frombuffer(self.message.hits.normals_world, "<f8").reshape(-1, 3)


def rays_request(
    scene: str,
    origins: npt.ArrayLike,
    directions: npt.ArrayLike,
    max_distance: Optional[Union[float, npt.ArrayLike]],
    ignored_bodies: Iterable[int],
) -> query_service_pb2.CastRaysRequest:
    """A ray for each direction; a single origin or distance is that of all. ValueError: the shapes do not fit."""
    towards = np.atleast_2d(np.asarray(directions, dtype=np.float64))
    if towards.ndim != 2 or towards.shape[1] != 3:
        raise ValueError(f"directions must have the shape (n, 3), not {towards.shape}")
    starts = np.broadcast_to(np.asarray(origins, dtype=np.float64), towards.shape).tolist()
    reaches = None if max_distance is None else np.broadcast_to(
        np.asarray(max_distance, dtype=np.float64), towards.shape[:1]
    ).tolist()
    request = query_service_pb2.CastRaysRequest(scene=scene, ignored_body_ids=[int(body) for body in ignored_bodies])
    for index, ((x, y, z), (u, v, w)) in enumerate(zip(starts, towards.tolist())):
        ray: ray_pb2.Ray = request.rays.add()
        ray.origin_world_m.x, ray.origin_world_m.y, ray.origin_world_m.z = x, y, z
        ray.direction_world.x, ray.direction_world.y, ray.direction_world.z = u, v, w
        if reaches is not None:
            ray.max_distance_m = reaches[index]
    return request
