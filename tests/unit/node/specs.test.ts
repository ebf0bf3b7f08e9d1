import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import {
  BodyKind,
  box,
  container,
  ContactLaw,
  dynamicBody,
  emitter,
  kinematicBody,
  plane,
  sceneSpec,
  sceneSpecFromJson,
  sphere,
  staticBody,
  v1,
} from "talus";

test("bodies are what was said, and nothing is invented", () => {
  const ball = dynamicBody(sphere(0.1, { material: "stone", position: [0, 0, 1] }), {
    name: "ball",
    position: [1, 2, 3],
    orientation: [1, 0, 0, 0],
    massKg: 0.5,
  });
  assert.equal(ball.kind, BodyKind.DYNAMIC);
  assert.deepEqual(ball.positionWorldM, { x: 1, y: 2, z: 3 });
  assert.deepEqual(ball.orientationWorld, { w: 1, x: 0, y: 0, z: 0 });
  assert.deepEqual([ball.massKg, ball.densityKgM3, ball.linearVelocityWorldMS], [0.5, undefined, undefined]);
  assert.deepEqual(ball.shapes[0]?.geometry, { $case: "sphere", value: { radiusM: 0.1 } });
  assert.deepEqual(ball.shapes[0]?.positionBodyM, { x: 0, y: 0, z: 1 });
  assert.equal(ball.shapes[0]?.orientationBody, undefined);
});

test("each kind of body and shape", () => {
  const tray = staticBody(
    [
      container({ innerLengthXM: 1, innerLengthYM: 2, wallHeightM: 0.5, thicknessM: 0.1 }),
      plane({ x: 0, y: 0, z: 1 }),
    ],
    { name: "tray" },
  );
  assert.deepEqual([tray.kind, tray.shapes.map((shape) => shape.geometry?.$case)], [
    BodyKind.STATIC,
    ["container", "plane"],
  ]);
  const lift = kinematicBody(box([1, 1, 0.1]), { linearVelocity: [0, 0, 1], angularVelocity: [0, 0, 2] });
  assert.deepEqual([lift.kind, lift.linearVelocityWorldMS?.z, lift.angularVelocityWorldRadS?.z], [
    BodyKind.KINEMATIC,
    1,
    2,
  ]);
});

test("NaN and 64-bit seeds survive the wire", () => {
  const spec = sceneSpec({
    bodies: [dynamicBody(sphere(Number.NaN), { massKg: 1 })],
    emitters: [emitter({ name: "e", seed: 2n ** 64n - 1n, particleCount: 3 })],
  });
  const back = v1.SceneSpec.decode(v1.SceneSpec.encode(spec).finish());
  const geometry = back.bodies[0]?.shapes[0]?.geometry;
  assert.ok(geometry?.$case === "sphere" && Number.isNaN(geometry.value.radiusM));
  assert.deepEqual([back.emitters[0]?.seed, back.emitters[0]?.particleCount], [2n ** 64n - 1n, 3n]);
});

test("a scene file is proto3 JSON, in either spelling of names", () => {
  const camel = sceneSpecFromJson({
    settings: { timeStepS: 0.01, gravityWorldMS2: { z: -9 }, solver: { law: "CONTACT_LAW_CCP" } },
  });
  const snake = sceneSpecFromJson(
    '{"settings": {"time_step_s": 0.01, "gravity_world_m_s2": {"z": -9}, "solver": {"law": "CONTACT_LAW_CCP"}}}',
  );
  assert.deepEqual(camel, snake);
  assert.deepEqual(
    [camel.settings?.timeStepS, camel.settings?.gravityWorldMS2?.z, camel.settings?.solver?.law],
    [0.01, -9, ContactLaw.CCP],
  );
});

test("the named scenes of the repository are read", () => {
  const path = join(process.env["TALUS_SOURCE_DIR"]!, "clients/scenes/gravel_pile.json");
  const spec = sceneSpecFromJson(readFileSync(path, "utf8"));
  assert.ok(spec.emitters.length > 0 && spec.emitters.every((one) => one.particleCount > 0n && one.ratePerS > 0));
});
