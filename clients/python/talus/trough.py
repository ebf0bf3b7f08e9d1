"""The surface between the torques under which a ball in a right-angled trough rolls on and those under which it slips."""

from __future__ import annotations

from typing import Optional

import numpy as np
import numpy.typing as npt

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


class TroughSurface:
    """A closed triangle mesh in the space of loads m = M sqrt(2) / (m g r)."""

    def __init__(self, message: analysis.MeshTroughSurfaceResponse) -> None:
        self.vertices: npt.NDArray[np.float64] = np.array(message.vertices).reshape(-1, 3)
        self.triangles: npt.NDArray[np.uint32] = np.array(message.triangles, dtype=np.uint32).reshape(-1, 3)
        self.exits = [_EXITS[state] for state in message.exits]  # across each triangle: "RS", "SR" or "SS"
        self.obj = message.obj  # a Wavefront OBJ file


def surface_request(
    sliding_friction: Optional[float], inertia_ratio: Optional[float], body: str, cells: Optional[int]
) -> analysis.MeshTroughSurfaceRequest:
    """Asks for the surface. ValueError: body is none of BODIES."""
    if body not in BODIES:
        raise ValueError(f"body {body!r} must be one of {', '.join(BODIES)}")
    return analysis.MeshTroughSurfaceRequest(
        sliding_friction=sliding_friction, inertia_ratio=inertia_ratio, body=BODIES[body], cells=cells, obj=True
    )
