"""What of a scene can be driven while it runs, and calls that drive it.

    push = talus.actuators.wrench("block")
    scene.step(10, actuators=[push], values=[5.0, 0, 0, 0, 0, 0])     # 5 N along x
    with scene.control([talus.actuators.motor_velocity("wheel", axis=5)]) as control:
        for _ in range(1000):
            state = control.step([target(state)])

Values act in every step from the next one on, until they are set again. A body or joint is named, or given by its id.
"""

from __future__ import annotations

from typing import Union

from talus.v1 import actuation_pb2

Actuator = actuation_pb2.Actuator
Target = Union[str, int]


def _actuator(kind: "actuation_pb2.ActuatorKind", target: Target, axis: int = 0) -> Actuator:
    if isinstance(target, str):
        return Actuator(kind=kind, name=target, axis=axis)
    return Actuator(kind=kind, id=target, axis=axis)


def wrench(body: Target) -> Actuator:
    """A load on a dynamic body, 6 values: force (N), torque about the centre of mass (N m), world frame."""
    return _actuator(actuation_pb2.ACTUATOR_KIND_BODY_WRENCH, body)


def body_velocity(body: Target) -> Actuator:
    """The motion of a kinematic body, 6 values: linear (m/s), angular velocity (rad/s), world frame."""
    return _actuator(actuation_pb2.ACTUATOR_KIND_BODY_VELOCITY, body)


def motor_velocity(joint: Target, axis: int) -> Actuator:
    """The target of a motor axis (0 to 5), 1 value: m/s or rad/s."""
    return _actuator(actuation_pb2.ACTUATOR_KIND_JOINT_VELOCITY, joint, axis)


def axis_force(joint: Target, axis: int) -> Actuator:
    """The most force of a motor or brake axis (0 to 5), 1 value: N or N m, >= 0."""
    return _actuator(actuation_pb2.ACTUATOR_KIND_JOINT_FORCE, joint, axis)


def axis_position(joint: Target, axis: int) -> Actuator:
    """Where a locked axis (0 to 5) is held, 1 value: m or rad."""
    return _actuator(actuation_pb2.ACTUATOR_KIND_JOINT_POSITION, joint, axis)
