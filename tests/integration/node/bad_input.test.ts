// Input that the server must refuse: with the right code, reason and field, and without changing anything.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  BodyKind,
  type BodySpec,
  box,
  container,
  ContactLaw,
  ContactSolver,
  dynamicBody,
  emitter,
  ErrorReason,
  plane,
  type Scene,
  sphere,
  staticBody,
  type TalusError,
} from "talus";

import { errorOf, fingerprint, FREE_FALL, LiveServer, RESTING_BALL, sceneNames, type Spec } from "./live_server";

const live = new LiveServer({ args: ["--max-bodies", "10", "--max-scenes", "3"] });
const BALL = sphere(0.1);

test("an unknown scene is NOT_FOUND for every call", async () => {
  const scene = live.client.scene("scenes/nowhere");
  const calls: (() => Promise<unknown>)[] = [
    () => scene.getInfo(),
    () => scene.delete(),
    () => scene.step(),
    () => scene.addBodies([dynamicBody(BALL, { massKg: 1 })]),
    () => scene.removeBodies([1n]),
    () => scene.addEmitters([]),
    () => scene.removeEmitters(["e"]),
    () => scene.getState(),
    () => scene.getContacts(),
    () => scene.getLayout(),
    () => scene.getEnergy(),
    () => scene.getDiagnostics(),
    () => scene.watch().next(),
    () => scene.createSnapshot(),
    () => scene.restoreSnapshot("snapshots/s"),
    () => scene.fork([""]),
    () => scene.downloadSnapshot().next(),
  ];
  for (const call of calls) {
    const error = await errorOf(call());
    assert.deepEqual([error.codeName, error.reason], ["NOT_FOUND", ErrorReason.NOT_FOUND], call.toString());
  }
});

test("a malformed scene name is INVALID_ARGUMENT", async () => {
  for (const name of ["", "scenes/", "scenes/a b", "snapshots/a", `scenes/${"x".repeat(65)}`]) {
    const error = await errorOf(live.client.scene(name).step());
    assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.INVALID_FIELD], name);
    assert.equal(error.field, "scene");
  }
});

// The error names the field, or a component of it, or its size.
function assertField(error: TalusError, field: string, what: string): void {
  const named = error.field.replace(/^size\((.*)\)$/, "$1");
  assert.ok(named === field || named.startsWith(`${field}.`), `${what}: ${error.field} instead of ${field}`);
}

// Each is one wrong thing about a dynamic ball, and the field that the error must name.
const WRONG_BODIES: [string, BodySpec, string][] = [
  ["negative mass", dynamicBody(BALL, { massKg: -2 }), "bodies[1].mass_kg"],
  ["zero mass", dynamicBody(BALL, { massKg: 0 }), "bodies[1].mass_kg"],
  ["infinite mass", dynamicBody(BALL, { massKg: Number.POSITIVE_INFINITY }), "bodies[1].mass_kg"],
  ["no mass", dynamicBody(BALL), "bodies[1]"],
  ["mass and density", dynamicBody(BALL, { massKg: 1, densityKgM3: 1 }), "bodies[1]"],
  ["NaN position", dynamicBody(BALL, { massKg: 1, position: [0, Number.NaN, 0] }), "bodies[1].position_world_m"],
  ["NaN orientation", dynamicBody(BALL, { massKg: 1, orientation: [Number.NaN, 0, 0, 0] }), "bodies[1].orientation_world"],
  ["non-unit quaternion", dynamicBody(BALL, { massKg: 1, orientation: [1, 0.01, 0, 0] }), "bodies[1].orientation_world"],
  ["infinite velocity", dynamicBody(BALL, { massKg: 1, linearVelocity: [1 / 0, 0, 0] }), "bodies[1].linear_velocity_world_m_s"],
  ["negative radius", dynamicBody(sphere(-1), { massKg: 1 }), "bodies[1].shapes[0].sphere.radius_m"],
  ["flat box", dynamicBody(box([1, 0, 1]), { massKg: 1 }), "bodies[1].shapes[0].box.half_extents_m"],
  ["no shape", dynamicBody([], { massKg: 1 }), "bodies[1].shapes"],
  ["dynamic plane", dynamicBody(plane([0, 0, 1]), { massKg: 1 }), "bodies[1].shapes[0]"],
  ["plane without normal", staticBody(plane([0, 0, 0])), "bodies[1].shapes[0].plane.normal"],
  ["tray of no size", staticBody(container({ innerLengthXM: 0, innerLengthYM: 1, wallHeightM: 1, thicknessM: 1 })), "bodies[1].shapes[0].container.inner_length_x_m"],
  ["unknown material", dynamicBody(sphere(1, { material: "cheese" }), { massKg: 1 }), "bodies[1].shapes[0].material"],
  ["moving static body", staticBody(BALL, { linearVelocity: [1, 0, 0] }), "bodies[1].linear_velocity_world_m_s"],
  ["bad name", dynamicBody(BALL, { massKg: 1, name: "a b" }), "bodies[1].name"],
];

const GOOD = dynamicBody(BALL, { massKg: 1, position: [5, 0, 0] });

test("a wrong body is refused by CreateScene, and no scene comes to be", async () => {
  const names = await sceneNames(live.client);
  for (const [what, body, field] of WRONG_BODIES) {
    const error = await errorOf(live.client.createScene({ sceneId: "wrong", spec: { bodies: [GOOD, body] } }));
    assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.INVALID_FIELD], what);
    assertField(error, `spec.${field}`, what);
    assert.deepEqual(await sceneNames(live.client), names, what);
  }
});

test("a wrong body is refused by AddBodies with the good one beside it, and nothing changes", async () => {
  const scene = await live.client.createScene({ spec: RESTING_BALL });
  await scene.step(3);
  const before = await fingerprint(scene);
  for (const [what, body, field] of WRONG_BODIES) {
    const error = await errorOf(scene.addBodies([GOOD, body]));
    assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.INVALID_FIELD], what);
    assertField(error, field, what);
    assert.deepEqual(await fingerprint(scene), before, what);
  }
  await scene.delete();
});

test("the message names field, value and range", async () => {
  const error = await errorOf(
    live.client.createScene({ spec: { bodies: [{ kind: BodyKind.DYNAMIC, shapes: [BALL], massKg: -2 }] } }),
  );
  assert.deepEqual([error.field, error.value, error.allowed], ["spec.bodies[0].mass_kg", "-2", "must be > 0"]);
  assert.match(error.message, /spec\.bodies\[0\]\.mass_kg = -2 must be > 0/);
});

test("duplicate names are ALREADY_EXISTS, and nothing changes", async () => {
  const scene = await live.client.createScene({ sceneId: "taken", spec: RESTING_BALL });
  const before = await fingerprint(scene);
  const ball = dynamicBody(BALL, { name: "ball", massKg: 1, position: [9, 0, 9] });
  const material = { name: "stone", material: {} };
  const calls: [string, () => Promise<unknown>][] = [
    ["scene", () => live.client.createScene({ sceneId: "taken", spec: FREE_FALL })],
    ["body", () => scene.addBodies([ball])],
    ["body within one call", () => scene.addBodies([{ ...ball, name: "x" }, { ...ball, name: "x" }])],
    ["material", () => scene.addBodies([GOOD], { materials: [material] })],
    ["fork", () => scene.fork(["taken"])],
  ];
  for (const [what, call] of calls) {
    const error = await errorOf(call());
    assert.deepEqual([error.codeName, error.reason], ["ALREADY_EXISTS", ErrorReason.DUPLICATE_NAME], what);
  }
  assert.deepEqual(await fingerprint(scene), before);
  await scene.delete();
});

test("what is not there cannot be removed, and nothing goes with it", async () => {
  const scene = await live.client.createScene({ spec: RESTING_BALL });
  const before = await fingerprint(scene);
  for (const call of [
    () => scene.removeBodies([1n, 99n]),
    () => scene.removeBodies(["ball", "bell"]),
    () => scene.removeEmitters(["e"]),
  ]) {
    const error = await errorOf(call());
    assert.deepEqual([error.codeName, error.reason], ["NOT_FOUND", ErrorReason.NOT_FOUND]);
  }
  assert.deepEqual(await fingerprint(scene), before);
  await scene.delete();
});

const WRONG_SPECS: [string, Spec, string][] = [
  ["time step 0", { settings: { timeStepS: 0 } }, "settings.time_step_s"],
  ["NaN gravity", { settings: { gravityWorldMS2: { x: 0, y: Number.NaN, z: 0 } } }, "settings.gravity_world_m_s2"],
  ["no sweeps", { settings: { solver: { maxSweeps: 0 } } }, "settings.solver.max_sweeps"],
  ["psor of another solver", { settings: { solver: { psor: {} } } }, "settings.solver.psor"],
  ["relaxation 2", { settings: { solver: { law: ContactLaw.CCP, solver: ContactSolver.PSOR, psor: { relaxation: 2 } } } }, "settings.solver.psor.relaxation"],
  ["tolerance 2", { settings: { solver: { tolerance: 2 } } }, "settings.solver.tolerance"],
  ["negative friction", { materials: [{ name: "m", material: { slidingFriction: -1 } }] }, "materials[0].material.sliding_friction"],
  ["bouncy", { materials: [{ name: "m", material: { restitution: 1.5 } }] }, "materials[0].material.restitution"],
  ["nameless material", { materials: [{ material: {} }] }, "materials[0].name"],
  ["nameless emitter", { emitters: [emitter({ ratePerS: 1 })] }, "emitters[0].name"],
  ["idle emitter", { emitters: [emitter({ name: "e", ratePerS: 0, particleCount: 1, radiusMinM: 1, radiusMaxM: 1, densityKgM3: 1 })] }, "emitters[0].rate_per_s"],
  ["domain inside out", { domain: { minWorldM: { x: 1, y: 0, z: 0 }, maxWorldM: { x: 0, y: 1, z: 1 } } }, "domain"],
];

test("a wrong setting, material, emitter or domain is refused", async () => {
  for (const [what, spec, field] of WRONG_SPECS) {
    const error = await errorOf(live.client.createScene({ spec }));
    assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.INVALID_FIELD], what);
    assertField(error, `spec.${field}`, what);
  }
});

test("a solver that does not solve the law is refused, its own law is not", async () => {
  const { NCP, CCP } = ContactLaw;
  const { ALART_CURNIER, ACCELERATED_PSOR, PSOR, APGD, NEWTON, FIXED_POINT, EXTRAGRADIENT, NSGS, BARZILAI_BORWEIN, ADMM } =
    ContactSolver;
  const create = (law: ContactLaw, solver: ContactSolver) =>
    live.client.createScene({ spec: { ...RESTING_BALL, settings: { solver: { law, solver } } } });
  for (const [law, solver] of [[CCP, ALART_CURNIER], [NCP, ACCELERATED_PSOR], [NCP, PSOR], [NCP, APGD],
    [NCP, BARZILAI_BORWEIN], [NCP, ADMM]] as const) {
    const error = await errorOf(create(law, solver));
    assert.deepEqual([error.codeName, error.field], ["INVALID_ARGUMENT", "spec.settings.solver.solver"], `${law} ${solver}`);
  }
  for (const [law, solver] of [[NCP, ALART_CURNIER], [CCP, ACCELERATED_PSOR], [CCP, PSOR], [CCP, APGD],
    [NCP, NEWTON], [CCP, NEWTON], [NCP, FIXED_POINT], [CCP, FIXED_POINT], [NCP, EXTRAGRADIENT], [CCP, EXTRAGRADIENT],
    [NCP, NSGS], [CCP, NSGS], [CCP, BARZILAI_BORWEIN], [CCP, ADMM]] as const) {
    const scene = await create(law, solver);
    assert.equal((await scene.step(2)).stepsDone, 2n);
    await scene.delete();
  }
});

test("no source at all, bad ids and bad pages are INVALID_ARGUMENT", async () => {
  const calls: (() => Promise<unknown>)[] = [
    () => live.client.createScene({} as Parameters<typeof live.client.createScene>[0]),
    () => live.client.createScene({ sceneId: "a/b", spec: FREE_FALL }),
    () => live.client.createScene({ requestId: "x".repeat(65), spec: FREE_FALL }),
    () => live.client.listScenes({ pageSize: -1 }).next(),
    () => live.client.listScenes({ pageSize: 1001 }).next(),
    () => live.client.listSnapshots({ pageSize: -1 }).next(),
  ];
  for (const call of calls) assert.equal((await errorOf(call())).codeName, "INVALID_ARGUMENT");
});

test("a request id with another request is REQUEST_ID_REUSED", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL, requestId: "mine" });
  const error = await errorOf(live.client.createScene({ spec: RESTING_BALL, requestId: "mine" }));
  assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.REQUEST_ID_REUSED]);
  await scene.delete();
});

test("limits are RESOURCE_EXHAUSTED and name themselves", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const before = await fingerprint(scene);
  const many = Array.from({ length: 10 }, (_, i) => dynamicBody(BALL, { massKg: 1, position: [i, 0, 0] }));
  const bodies = await errorOf(scene.addBodies(many));
  assert.deepEqual([bodies.codeName, bodies.reason], ["RESOURCE_EXHAUSTED", ErrorReason.LIMIT_REACHED]);
  assert.deepEqual([bodies.limitName, bodies.limitValue], ["bodies_per_scene", 10n]);
  assert.deepEqual(await fingerprint(scene), before);

  const others: Scene[] = [];
  while (others.length < 2) others.push(await live.client.createScene({ spec: FREE_FALL }));
  const scenes = await errorOf(live.client.createScene({ spec: FREE_FALL }));
  assert.deepEqual([scenes.codeName, scenes.limitName, scenes.limitValue], ["RESOURCE_EXHAUSTED", "scenes", 3n]);
  for (const one of [scene, ...others]) await one.delete();
});
