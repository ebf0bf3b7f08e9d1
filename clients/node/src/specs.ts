// Short ways to write a scene description. Everything here only fills in messages; the server validates them, and its
// errors name the field as in `bodies[3].mass_kg`.
import { BodyKind, BodySpec, BodyUpdate, Container, EmitterSpec, SceneSpec, ShapeSpec } from "./gen/talus/v1/scene";
import type { Quaternion, Vector3 } from "./gen/talus/v1/geometry";

/** The parts of a message that a caller cares to set; int64 fields also take numbers. */
export type PartialMessage<Codec extends { fromPartial(object: never): unknown }> = Parameters<Codec["fromPartial"]>[0];

/** Three components, as a tuple or as a message. */
export type VectorInput = readonly [x: number, y: number, z: number] | Vector3;
/** A unit quaternion w, x, y, z, as a tuple or as a message. */
export type QuaternionInput = readonly [w: number, x: number, y: number, z: number] | Quaternion;

/** Where a shape sits on its body and what it is made of. */
export interface ShapePlacement {
  /** Name of a material of the scene. Unset: no friction, no restitution. */
  material?: string;
  /** Shape origin in the body frame, metres [0, 0, 0]. */
  position?: VectorInput;
  /** Body <- shape [1, 0, 0, 0]. */
  orientation?: QuaternionInput;
}

/** Where a body is and how it moves. */
export interface MotionInput {
  /** Centre of mass, world frame, metres [0, 0, 0]. */
  position?: VectorInput;
  /** World <- body [1, 0, 0, 0]. */
  orientation?: QuaternionInput;
  /** Velocity of the centre of mass, world frame, m/s. */
  linearVelocity?: VectorInput;
  /** Angular velocity, world frame, rad/s. */
  angularVelocity?: VectorInput;
}

/** A body that comes; what is not named here is given as in BodySpec. */
export interface BodyInput extends MotionInput, Omit<PartialMessage<typeof BodySpec>, "kind" | "shapes"> {}

/** A vector message. */
export function vector(input: VectorInput): Vector3 {
  if (!isTuple(input)) return input;
  const [x, y, z] = input;
  return { x, y, z };
}

/** A quaternion message. */
export function quaternion(input: QuaternionInput): Quaternion {
  if (!isTuple(input)) return input;
  const [w, x, y, z] = input;
  return { w, x, y, z };
}

/** A ball. */
export function sphere(radiusM: number, placement: ShapePlacement = {}): ShapeSpec {
  return shape({ $case: "sphere", value: { radiusM } }, placement);
}

/** A solid box, by half of each edge length in metres. */
export function box(halfExtentsM: VectorInput, placement: ShapePlacement = {}): ShapeSpec {
  return shape({ $case: "box", value: { halfExtentsM: vector(halfExtentsM) } }, placement);
}

/** The half-space below a plane with this outward normal; only on static and kinematic bodies. */
export function plane(normal: VectorInput, placement: ShapePlacement = {}): ShapeSpec {
  return shape({ $case: "plane", value: { normal: vector(normal) } }, placement);
}

/** An open-topped tray; only on static and kinematic bodies. */
export function container(dimensions: Container, placement: ShapePlacement = {}): ShapeSpec {
  return shape({ $case: "container", value: dimensions }, placement);
}

/** A body that moves by forces and contacts; it needs massKg or densityKgM3. */
export function dynamicBody(shapes: ShapeSpec | ShapeSpec[], input: BodyInput = {}): BodySpec {
  return body(BodyKind.DYNAMIC, shapes, input);
}

/** A body that never moves. */
export function staticBody(shapes: ShapeSpec | ShapeSpec[], input: BodyInput = {}): BodySpec {
  return body(BodyKind.STATIC, shapes, input);
}

/** A body that moves by its given velocities, whatever it touches. */
export function kinematicBody(shapes: ShapeSpec | ShapeSpec[], input: BodyInput = {}): BodySpec {
  return body(BodyKind.KINEMATIC, shapes, input);
}

/** What is to be set of a body, by name or id; what is not named stays as it is. */
export function bodyUpdate(body: string | bigint | number, input: MotionInput): BodyUpdate {
  const paths = [
    ...(input.position ? ["position_world_m"] : []),
    ...(input.orientation ? ["orientation_world"] : []),
    ...(input.linearVelocity ? ["linear_velocity_world_m_s"] : []),
    ...(input.angularVelocity ? ["angular_velocity_world_rad_s"] : []),
  ];
  return BodyUpdate.fromPartial({
    body: typeof body === "string" ? { $case: "bodyName", value: body } : { $case: "bodyId", value: BigInt(body) },
    values: motion(input),
    updateMask: paths,
  });
}

/** An emitter of spheres. */
export function emitter(input: PartialMessage<typeof EmitterSpec>): EmitterSpec {
  return EmitterSpec.fromPartial(input);
}

/** A whole scene. */
export function sceneSpec(input: PartialMessage<typeof SceneSpec>): SceneSpec {
  return SceneSpec.fromPartial(input);
}

/** A scene from its proto3 JSON form, the scene file of `talusctl run`: an object, or its text. */
export function sceneSpecFromJson(json: unknown): SceneSpec {
  return SceneSpec.fromJSON(typeof json === "string" ? JSON.parse(json) : json);
}

function body(kind: BodyKind, shapes: ShapeSpec | ShapeSpec[], input: BodyInput): BodySpec {
  const { position, orientation, linearVelocity, angularVelocity, ...rest } = input;
  return BodySpec.fromPartial({
    ...rest,
    kind,
    shapes: Array.isArray(shapes) ? shapes : [shapes],
    ...motion(input),
  });
}

function motion({ position, orientation, linearVelocity, angularVelocity }: MotionInput): PartialMessage<typeof BodySpec> {
  return {
    ...(position && { positionWorldM: vector(position) }),
    ...(orientation && { orientationWorld: quaternion(orientation) }),
    ...(linearVelocity && { linearVelocityWorldMS: vector(linearVelocity) }),
    ...(angularVelocity && { angularVelocityWorldRadS: vector(angularVelocity) }),
  };
}

function shape(geometry: ShapeSpec["geometry"], placement: ShapePlacement): ShapeSpec {
  return {
    geometry,
    positionBodyM: placement.position && vector(placement.position),
    orientationBody: placement.orientation && quaternion(placement.orientation),
    material: placement.material ?? "",
  };
}

function isTuple(input: VectorInput | QuaternionInput): input is Exclude<typeof input, Vector3 | Quaternion> {
  return Array.isArray(input);
}
