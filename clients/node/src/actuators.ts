// What of a scene can be driven while it runs. Values act in every step from the next one on, until they are set again.
import { Actuator, ActuatorKind } from "./gen/talus/v1/actuation";

/** A body or joint by its name or its id. */
export type ActuatorTarget = string | bigint | number;

/** A load on a dynamic body, 6 values: force (N), torque about the centre of mass (N m), world frame. */
export function wrench(body: ActuatorTarget): Actuator {
  return actuator(ActuatorKind.BODY_WRENCH, body);
}

/** The motion of a kinematic body, 6 values: linear (m/s), angular velocity (rad/s), world frame. */
export function bodyVelocity(body: ActuatorTarget): Actuator {
  return actuator(ActuatorKind.BODY_VELOCITY, body);
}

/** The target of a motor axis (0 to 5), 1 value: m/s or rad/s. */
export function motorVelocity(joint: ActuatorTarget, axis: number): Actuator {
  return actuator(ActuatorKind.JOINT_VELOCITY, joint, axis);
}

/** The most force of a motor or brake axis (0 to 5), 1 value: N or N m, >= 0. */
export function axisForce(joint: ActuatorTarget, axis: number): Actuator {
  return actuator(ActuatorKind.JOINT_FORCE, joint, axis);
}

/** Where a locked axis (0 to 5) is held, 1 value: m or rad. */
export function axisPosition(joint: ActuatorTarget, axis: number): Actuator {
  return actuator(ActuatorKind.JOINT_POSITION, joint, axis);
}

function actuator(kind: ActuatorKind, target: ActuatorTarget, axis = 0): Actuator {
  const named = typeof target === "string" ? { name: target } : { id: BigInt(target) };
  return Actuator.fromPartial({ kind, axis, ...named });
}
