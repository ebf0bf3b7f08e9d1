"""Bodies of a scene set to other poses and velocities: UpdateBodies, and a short way to write what it takes."""

from __future__ import annotations

from typing import Iterable, Optional, Sequence

from talus import methods
from talus.calls import Call, SceneInfo
from talus.geometry import Triple, quaternion, vector
from talus.v1 import scene_pb2, scene_service_pb2
from talus.watching import Body


def body_update(
    body: Body,
    *,
    position: Optional[Triple] = None,
    orientation: Optional[Sequence[float]] = None,
    linear_velocity: Optional[Triple] = None,
    angular_velocity: Optional[Triple] = None,
) -> scene_pb2.BodyUpdate:
    """What is to be set of a body, by id or name; the rest stays. World frame: position, metres; orientation, w, x, y, z;
    velocities, m/s and rad/s."""
    update = scene_pb2.BodyUpdate()
    if isinstance(body, str):
        update.body_name = body
    else:
        update.body_id = int(body)
    values, paths = update.values, update.update_mask.paths
    if position is not None:
        values.position_world_m.CopyFrom(vector(position))
        paths.append("position_world_m")
    if orientation is not None:
        values.orientation_world.CopyFrom(quaternion(orientation))
        paths.append("orientation_world")
    if linear_velocity is not None:
        values.linear_velocity_world_m_s.CopyFrom(vector(linear_velocity))
        paths.append("linear_velocity_world_m_s")
    if angular_velocity is not None:
        values.angular_velocity_world_rad_s.CopyFrom(vector(angular_velocity))
        paths.append("angular_velocity_world_rad_s")
    return update


def update_bodies(scene: str, updates: Iterable[scene_pb2.BodyUpdate]) -> Call[SceneInfo]:
    """UpdateBodies."""
    request = scene_service_pb2.UpdateBodiesRequest(scene=scene, updates=updates)

    def decode(response: scene_service_pb2.UpdateBodiesResponse) -> SceneInfo:
        return response.scene

    return Call(methods.UPDATE_BODIES, request, decode)
