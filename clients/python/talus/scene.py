"""Builders of scene descriptions: short functions that return messages of scene.proto and step_settings.proto.

    spec = talus.scene.spec(
        materials=[talus.scene.material("steel", sliding=0.3)],
        bodies=[talus.scene.plane(material="steel"),
                talus.scene.sphere(0.1, position=(0, 0, 0.1), mass=1.0, material="steel")],
    )

Lengths in metres, masses in kg, speeds in m/s, quaternions w, x, y, z. What is left out is left out of the message: the
server's defaults apply, and the server is the one that validates.
"""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from google.protobuf import json_format

from talus.geometry import Triple as Triple, quaternion as quaternion, vector as vector
from talus.materials import elasticity as elasticity, material as material, material_pair as material_pair
from talus.settings import CONE_LAWS as CONE_LAWS, LAWS as LAWS, SOLVERS as SOLVERS
from talus.settings import settings as settings, sleep as sleep
from talus.v1 import scene_pb2, step_settings_pb2

SpecSource = Union[scene_pb2.SceneSpec, Mapping[str, Any], str, "os.PathLike[str]"]

STATIC = scene_pb2.BODY_KIND_STATIC
DYNAMIC = scene_pb2.BODY_KIND_DYNAMIC
KINEMATIC = scene_pb2.BODY_KIND_KINEMATIC


def sphere_shape(radius: float, material: str = "", position: Optional[Triple] = None) -> scene_pb2.ShapeSpec:
    """A ball, `position` in the body frame."""
    shape = scene_pb2.ShapeSpec(sphere=scene_pb2.Sphere(radius_m=radius), material=material)
    if position is not None:
        shape.position_body_m.CopyFrom(vector(position))
    return shape


def box_shape(
    half_extents: Triple,
    material: str = "",
    position: Optional[Triple] = None,
    orientation: Optional[Sequence[float]] = None,
) -> scene_pb2.ShapeSpec:
    """A box by half edge lengths, posed in the body frame."""
    shape = scene_pb2.ShapeSpec(box=scene_pb2.Box(half_extents_m=vector(half_extents)), material=material)
    if position is not None:
        shape.position_body_m.CopyFrom(vector(position))
    if orientation is not None:
        shape.orientation_body.CopyFrom(quaternion(orientation))
    return shape


def body(
    shapes: Iterable[scene_pb2.ShapeSpec],
    *,
    name: str = "",
    kind: int = DYNAMIC,
    position: Optional[Triple] = None,
    orientation: Optional[Sequence[float]] = None,
    linear_velocity: Optional[Triple] = None,
    angular_velocity: Optional[Triple] = None,
    mass: Optional[float] = None,
    density: Optional[float] = None,
) -> scene_pb2.BodySpec:
    """A body of one or more shapes."""
    spec = scene_pb2.BodySpec(name=name, kind=kind, shapes=shapes)  # type: ignore[arg-type]
    if position is not None:
        spec.position_world_m.CopyFrom(vector(position))
    if orientation is not None:
        spec.orientation_world.CopyFrom(quaternion(orientation))
    if linear_velocity is not None:
        spec.linear_velocity_world_m_s.CopyFrom(vector(linear_velocity))
    if angular_velocity is not None:
        spec.angular_velocity_world_rad_s.CopyFrom(vector(angular_velocity))
    if mass is not None:
        spec.mass_kg = mass
    if density is not None:
        spec.density_kg_m3 = density
    return spec


def sphere(radius: float, *, material: str = "", **options: Any) -> scene_pb2.BodySpec:
    """A body of one ball; options as in body()."""
    return body([sphere_shape(radius, material)], **options)


def box(half_extents: Triple, *, material: str = "", **options: Any) -> scene_pb2.BodySpec:
    """A body of one box; options as in body()."""
    return body([box_shape(half_extents, material)], **options)


def plane(normal: Triple = (0.0, 0.0, 1.0), *, material: str = "", **options: Any) -> scene_pb2.BodySpec:
    """A static half-space below its surface through `position`; options as in body()."""
    shape = scene_pb2.ShapeSpec(plane=scene_pb2.Plane(normal=vector(normal)), material=material)
    options.setdefault("kind", STATIC)
    return body([shape], **options)


def container(
    length_x: float,
    length_y: float,
    wall_height: float = 0.0,
    thickness: float = 0.1,
    *,
    material: str = "",
    **options: Any,
) -> scene_pb2.BodySpec:
    """A static open-topped tray, its floor's top face at `position`; wall_height 0 leaves the floor alone."""
    shape = scene_pb2.ShapeSpec(
        container=scene_pb2.Container(
            inner_length_x_m=length_x,
            inner_length_y_m=length_y,
            wall_height_m=wall_height,
            thickness_m=thickness,
        ),
        material=material,
    )
    options.setdefault("kind", STATIC)
    return body([shape], **options)


def emitter(
    name: str,
    *,
    center: Triple,
    rate: float,
    count: int,
    radius: float,
    density: float,
    material: str = "",
    radius_max: Optional[float] = None,
    nozzle_radius: float = 0.0,
    nozzle_height: float = 0.0,
    axis: Optional[Triple] = None,
    speed: float = 0.0,
    start_time: float = 0.0,
    seed: int = 0,
) -> scene_pb2.EmitterSpec:
    """A seeded inflow of spheres: `rate` particles a second, `count` in all."""
    spec = scene_pb2.EmitterSpec(
        name=name,
        center_world_m=vector(center),
        nozzle_radius_m=nozzle_radius,
        nozzle_height_m=nozzle_height,
        rate_per_s=rate,
        particle_count=count,
        start_time_s=start_time,
        seed=seed,
        radius_min_m=radius,
        radius_max_m=radius if radius_max is None else radius_max,
        density_kg_m3=density,
        material=material,
        speed_m_s=speed,
    )
    if axis is not None:
        spec.axis_world.CopyFrom(vector(axis))
    return spec


def _axis(mode: "scene_pb2.AxisMode", **numbers: Optional[float]) -> scene_pb2.JointAxis:
    return scene_pb2.JointAxis(mode=mode, **numbers)


def free() -> scene_pb2.JointAxis:
    """An axis that moves as it likes."""
    return _axis(scene_pb2.AXIS_MODE_FREE)


def locked(position: float = 0.0, stiffness: Optional[float] = None) -> scene_pb2.JointAxis:
    """An axis held at `position` (m, rad), rigidly or by a spring of `stiffness` (N/m, N m/rad)."""
    compliance = 0.0 if stiffness is None else 1.0 / stiffness
    return _axis(scene_pb2.AXIS_MODE_LOCKED, position=position, compliance=compliance)


def limited(lower: float, upper: float) -> scene_pb2.JointAxis:
    """An axis between two positions (m, rad)."""
    return _axis(scene_pb2.AXIS_MODE_LIMITED, lower=lower, upper=upper)


def motor(velocity: float, max_force: Optional[float] = None) -> scene_pb2.JointAxis:
    """An axis driven to `velocity` (m/s, rad/s) with at most `max_force` (N, N m); None: whatever it takes."""
    return _axis(scene_pb2.AXIS_MODE_MOTOR, velocity=velocity, max_force=max_force)


def friction(max_force: float) -> scene_pb2.JointAxis:
    """An axis braked with at most `max_force` (N, N m): a seal."""
    return _axis(scene_pb2.AXIS_MODE_FRICTION, max_force=max_force)


def joint(
    body_a: str,
    body_b: str,
    axes: Sequence[scene_pb2.JointAxis],
    *,
    name: str = "",
    position_a: Optional[Triple] = None,
    position_b: Optional[Triple] = None,
    orientation_a: Optional[Sequence[float]] = None,
    orientation_b: Optional[Sequence[float]] = None,
    bodies_collide: bool = False,
) -> scene_pb2.JointSpec:
    """A joint between two named bodies, "" for the world: x, y, z, then the rotations about them; what `axes`
    leaves out at its end is free. Frames are posed in their bodies."""
    result = scene_pb2.JointSpec(
        name=name, body_a=body_a, body_b=body_b, axes=axes, bodies_collide=bodies_collide
    )
    if position_a is not None:
        result.position_a_m.CopyFrom(vector(position_a))
    if position_b is not None:
        result.position_b_m.CopyFrom(vector(position_b))
    if orientation_a is not None:
        result.orientation_a.CopyFrom(quaternion(orientation_a))
    if orientation_b is not None:
        result.orientation_b.CopyFrom(quaternion(orientation_b))
    return result


def weld(body_a: str, body_b: str, **options: Any) -> scene_pb2.JointSpec:
    """All six axes locked; options as in joint()."""
    return joint(body_a, body_b, [locked()] * 6, **options)


def hinge(
    body_a: str, body_b: str, about: Optional[scene_pb2.JointAxis] = None, **options: Any
) -> scene_pb2.JointSpec:
    """All locked but the rotation about the joint's z axis, which is free, or as `about` says."""
    return joint(body_a, body_b, [locked()] * 5 + [free() if about is None else about], **options)


def guide(
    body_a: str, body_b: str, along: Optional[scene_pb2.JointAxis] = None, **options: Any
) -> scene_pb2.JointSpec:
    """All locked but the translation along the joint's x axis, which is free, or as `along` says."""
    return joint(body_a, body_b, [free() if along is None else along] + [locked()] * 5, **options)


def ball(body_a: str, body_b: str, **options: Any) -> scene_pb2.JointSpec:
    """The three translations locked; options as in joint()."""
    return joint(body_a, body_b, [locked()] * 3, **options)


def spec(
    *,
    bodies: Iterable[scene_pb2.BodySpec] = (),
    materials: Iterable[scene_pb2.NamedMaterial] = (),
    emitters: Iterable[scene_pb2.EmitterSpec] = (),
    settings: Optional[step_settings_pb2.StepSettings] = None,
    domain: Optional[tuple[Triple, Triple]] = None,
    joints: Iterable[scene_pb2.JointSpec] = (),
    material_pairs: Iterable[scene_pb2.MaterialPair] = (),
) -> scene_pb2.SceneSpec:
    """A whole scene; `domain` is its smallest and its largest corner."""
    result = scene_pb2.SceneSpec(
        bodies=bodies,
        materials=materials,
        emitters=emitters,
        settings=settings,
        joints=joints,
        material_pairs=material_pairs,
    )
    if domain is not None:
        result.domain.min_world_m.CopyFrom(vector(domain[0]))
        result.domain.max_world_m.CopyFrom(vector(domain[1]))
    return result


def load(source: SpecSource) -> scene_pb2.SceneSpec:
    """A SceneSpec from itself, from its proto3 JSON form as a mapping, or from a JSON file.

    ValueError: the mapping or the file does not follow the schema.
    """
    if isinstance(source, scene_pb2.SceneSpec):
        return source
    if not isinstance(source, Mapping):
        with open(source, encoding="utf-8") as file:
            source = json.load(file)
    parsed = scene_pb2.SceneSpec()
    try:
        json_format.ParseDict(source, parsed)
    except json_format.ParseError as error:
        raise ValueError(f"not a SceneSpec: {error}") from error
    return parsed
