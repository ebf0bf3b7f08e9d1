// Short ways to write a joint. As in specs.ts everything here only fills in messages, and the server validates them.
import { AxisMode, JointAxis, JointSpec } from "./gen/talus/v1/scene";
import { quaternion, type QuaternionInput, vector, type VectorInput } from "./specs";

/** What a joint is called and where its frames are; what is not named here is given as in JointSpec. */
export interface JointInput {
  /** Unique among the scene's joints. */
  name?: string;
  /** Origin of frame A on body A, of the world in the world, metres [0, 0, 0]. */
  positionA?: VectorInput;
  /** Body A <- joint [1, 0, 0, 0]. */
  orientationA?: QuaternionInput;
  /** Origin of frame B on body B, metres [0, 0, 0]. */
  positionB?: VectorInput;
  /** Body B <- joint [1, 0, 0, 0]. */
  orientationB?: QuaternionInput;
  /** Whether the two bodies may touch each other [false]. */
  bodiesCollide?: boolean;
}

/** An axis that moves as it likes. */
export function free(): JointAxis {
  return JointAxis.fromPartial({ mode: AxisMode.FREE });
}

/** An axis held at a position, m or rad; by a spring of this stiffness, N/m or N m/rad, where one is given. */
export function locked(position = 0, stiffness?: number): JointAxis {
  const compliance = stiffness === undefined ? 0 : 1 / stiffness;
  return JointAxis.fromPartial({ mode: AxisMode.LOCKED, position, compliance });
}

/** An axis that stays between two positions. */
export function limited(lower: number, upper: number): JointAxis {
  return JointAxis.fromPartial({ mode: AxisMode.LIMITED, lower, upper });
}

/** An axis driven to a velocity with at most this force [without limit]. */
export function motor(velocity: number, maxForce?: number): JointAxis {
  return JointAxis.fromPartial({ mode: AxisMode.MOTOR, velocity, ...(maxForce !== undefined && { maxForce }) });
}

/** An axis braked with at most this force. */
export function friction(maxForce: number): JointAxis {
  return JointAxis.fromPartial({ mode: AxisMode.FRICTION, maxForce });
}

/** A joint between two named bodies, "" for the world as A: x, y, z, then the rotations; axes left out are free. */
export function joint(bodyA: string, bodyB: string, axes: JointAxis[], input: JointInput = {}): JointSpec {
  const { positionA, orientationA, positionB, orientationB, ...rest } = input;
  return JointSpec.fromPartial({
    ...rest,
    bodyA,
    bodyB,
    axes,
    ...(positionA && { positionAM: vector(positionA) }),
    ...(orientationA && { orientationA: quaternion(orientationA) }),
    ...(positionB && { positionBM: vector(positionB) }),
    ...(orientationB && { orientationB: quaternion(orientationB) }),
  });
}

/** All six axes locked. */
export function weld(bodyA: string, bodyB: string, input?: JointInput): JointSpec {
  return joint(bodyA, bodyB, lock(6), input);
}

/** All locked but the rotation about the joint's z axis, which is free, or as `about` says. */
export function hinge(bodyA: string, bodyB: string, input: JointInput & { about?: JointAxis } = {}): JointSpec {
  const { about = free(), ...rest } = input;
  return joint(bodyA, bodyB, [...lock(5), about], rest);
}

/** All locked but the translation along the joint's x axis, which is free, or as `along` says. */
export function guide(bodyA: string, bodyB: string, input: JointInput & { along?: JointAxis } = {}): JointSpec {
  const { along = free(), ...rest } = input;
  return joint(bodyA, bodyB, [along, ...lock(5)], rest);
}

/** The three translations locked. */
export function ball(bodyA: string, bodyB: string, input?: JointInput): JointSpec {
  return joint(bodyA, bodyB, lock(3), input);
}

function lock(count: number): JointAxis[] {
  return Array.from({ length: count }, () => locked());
}
