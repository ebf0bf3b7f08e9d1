"""Surfaces between the loads under which a body rolls on at two contact points and those under which it does not: of any
body, and in closed form of a ball in a right-angled trough."""

from __future__ import annotations

from typing import Iterable, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from talus.choices import choose
from talus.v1 import analysis_service_pb2 as analysis

BODIES = {
    "limit_directions": analysis.TROUGH_BODY_LIMIT_DIRECTIONS,
    "all_faces": analysis.TROUGH_BODY_ALL_FACES,
}
_EXITS = {
    analysis.CONTACT_PAIR_STATE_ROLL_SLIP: "RS",
    analysis.CONTACT_PAIR_STATE_SLIP_ROLL: "SR",
    analysis.CONTACT_PAIR_STATE_SLIP_SLIP: "SS",
}
_ROLLING_EXITS = {
    analysis.ROLLING_EXIT_NONE: "none",
    analysis.ROLLING_EXIT_ROLL_SLIP: "RS",
    analysis.ROLLING_EXIT_SLIP_ROLL: "SR",
    analysis.ROLLING_EXIT_SLIP_SLIP: "SS",
    analysis.ROLLING_EXIT_OPENING: "opening",
}
Axis = Tuple[Sequence[float], Sequence[float]]  # a force, N, and a torque about the centre of mass, N m


class RollingSurface:
    """A closed triangle mesh in the space of loads."""

    def __init__(
        self, vertices: Sequence[float], triangles: Sequence[int], exits: Iterable[str], obj: bytes
    ) -> None:
        self.vertices: npt.NDArray[np.float64] = np.array(vertices).reshape(-1, 3)
        self.triangles: npt.NDArray[np.uint32] = np.array(triangles, dtype=np.uint32).reshape(-1, 3)
        self.exits = list(exits)  # across each triangle: "RS", "SR", "SS"; of any body also "opening", "none"
        self.obj = obj  # a Wavefront OBJ file


def trough_surface(message: analysis.MeshTroughSurfaceResponse) -> RollingSurface:
    """In the space of loads m = M sqrt(2) / (m g r)."""
    exits = (_EXITS[state] for state in message.exits)
    return RollingSurface(message.vertices, message.triangles, exits, message.obj)


def rolling_loads(message: analysis.MeshRollingLoadsResponse) -> RollingSurface:
    """In the space of the three axes asked for."""
    exits = (_ROLLING_EXITS[exit] for exit in message.exits)
    return RollingSurface(message.vertices, message.triangles, exits, message.obj)


def loads_request(
    body: analysis.AnalyzeRollingTransitionRequest, axes: Sequence[Axis], reach: Optional[float], cells: Optional[int]
) -> analysis.MeshRollingLoadsRequest:
    """Asks for the loads that three axes span. ValueError: a force or torque that has not three numbers."""
    request = analysis.MeshRollingLoadsRequest(body=body, reach=reach, cells=cells, obj=True)
    for force, torque in axes:
        if len(force) != 3 or len(torque) != 3:
            raise ValueError(f"an axis {(force, torque)!r} must be a force and a torque of three numbers each")
        axis = request.axes.add()
        (axis.force_world_n.x, axis.force_world_n.y, axis.force_world_n.z) = force
        (axis.torque_world_n_m.x, axis.torque_world_n_m.y, axis.torque_world_n_m.z) = torque
    return request


def surface_request(
    sliding_friction: Optional[float], inertia_ratio: Optional[float], body: str, cells: Optional[int]
) -> analysis.MeshTroughSurfaceRequest:
    """Asks for the surface. ValueError: body is none of BODIES."""
    return analysis.MeshTroughSurfaceRequest(
        sliding_friction=sliding_friction,
        inertia_ratio=inertia_ratio,
        body=choose("body", body, BODIES),
        cells=cells,
        obj=True,
    )
