// Every unary call does what its comment says, seen through the Node client.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import {
  bodyUpdate,
  connect,
  ContactMode,
  ContactSolver,
  dynamicBody,
  emitter,
  joints,
  launch,
  ModelBase,
  ShapeStandIn,
  SolveOutcome,
  sphere,
  Status,
  v1,
} from "talus";

import { endWell, FREE_FALL, LiveServer, pouringStones, RESTING_BALL, sceneNames } from "./live_server";

const live = new LiveServer({ args: ["--max-scenes", "40"] });

test("the server describes itself and is healthy", async () => {
  const info = await live.client.getServerInfo();
  assert.match(info.version, /^\d+\.\d+\.\d+$/);
  assert.equal(info.workerThreads, 2);
  assert.equal(info.limits?.scenes, 40n);
  assert.equal(info.limits?.messageBytes, 64n * 2n ** 20n);
  assert.ok(info.uptimeS >= 0);
  assert.equal(await live.client.checkHealth(), "SERVING");
  const features = (await live.client.getFeatures()).features;
  assert.deepEqual(features.find((feature) => feature.name === "SIMULATION_STATE_PAUSE")?.rpcs, ["SimulationService/Pause"]);
});

test("scenes are created, described, listed and deleted", async () => {
  const before = await sceneNames(live.client);
  const scene = await live.client.createScene({ sceneId: "life", spec: FREE_FALL });
  assert.equal(scene.name, "scenes/life");
  assert.deepEqual(scene.lastLayout?.bodyNames, ["ball"]);
  assert.deepEqual(scene.lastLayout?.bodyIds, [1n]);
  assert.deepEqual(scene.lastLayout?.sphereRadiiM, [0.1]);
  const info = await scene.getInfo();
  assert.deepEqual([info.stepIndex, info.bodyCount, info.fault], [0n, 1n, ""]);
  assert.equal(info.settings?.timeStepS, 0.125);
  assert.equal(info.stateHash, scene.lastInfo?.stateHash);
  const named = await live.client.createScene({ spec: FREE_FALL });
  assert.match(named.name, /^scenes\/.+/);
  assert.deepEqual(await sceneNames(live.client), [...before, "scenes/life", named.name].sort());
  await scene.delete();
  await named.delete();
  assert.deepEqual(await sceneNames(live.client), before);
});

test("lists go by pages", async () => {
  const scenes = await Promise.all(
    ["p1", "p2", "p3", "p4", "p5"].map((sceneId) => live.client.createScene({ sceneId, spec: FREE_FALL })),
  );
  const names: string[] = [];
  for await (const { scene } of live.client.listScenes({ pageSize: 2 })) names.push(scene);
  assert.deepEqual(names, ["scenes/p1", "scenes/p2", "scenes/p3", "scenes/p4", "scenes/p5"]);
  await Promise.all(scenes.map((scene) => scene.delete()));
});

test("bodies and joints are read back by pages", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(7) });
  await scene.step(40);
  const { bodyIds } = await scene.getLayout();
  const ids: bigint[] = [];
  const materials = new Set<string>();
  for await (const page of scene.listBodies({ pageSize: 3 })) {
    assert.ok(page.bodies.length <= 3);
    assert.equal(page.stepIndex, 40n);
    assert.equal(page.layoutVersion, scene.lastLayout?.layoutVersion);
    for (const body of page.bodies) ids.push(body.bodyId);
    for (const material of page.materials) materials.add(material.name);
  }
  assert.deepEqual(ids, [...bodyIds]);
  assert.ok(ids.length > 3 && materials.size > 0);
  await scene.delete();
  const hanging = await live.client.createScene({
    spec: {
      bodies: [dynamicBody(sphere(0.1), { name: "bob", massKg: 2 })],
      joints: [joints.ball("", "bob", { name: "string" })],
    },
  });
  const names: string[] = [];
  for await (const page of hanging.listJoints()) names.push(...page.joints.map((joint) => joint.spec!.name));
  assert.deepEqual(names, ["string"]);
  await hanging.delete();
});

test("a robot comes from a URDF file, with the scene or into it", async () => {
  const urdf = `<robot name="r"><link name="base"/><link name="arm"><inertial><origin xyz="1 0 0"/><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><mesh filename="package://r/arm.obj"/></geometry>
    </collision></link><joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>`;
  const options = { base: ModelBase.FIXED, standIn: ShapeStandIn.BOUNDING_BOX, name: "left" };
  const model = { urdf, files: { "arm.obj": Buffer.from("v 0 0 0\nv 1 1 1\n") }, options };
  const { scene, report } = await live.client.createRobotScene(model, FREE_FALL, { sceneId: "robot" });
  assert.equal(scene.name, "scenes/robot");
  assert.deepEqual([report.robot, report.links.length, report.standInCount], ["r", 2, 1n]);
  assert.deepEqual(scene.lastLayout!.bodyNames, ["ball", "left.arm"]);
  const again = await scene.importModel({ ...model, options: { ...options, name: "right" } });
  assert.equal(again.joints[0]!.name, "right.hinge");
  assert.equal(scene.lastInfo!.jointCount, 2n);
  assert.deepEqual(scene.lastLayout!.bodyNames, ["ball", "left.arm", "right.arm"]);
  await assert.rejects(scene.importModel(model), { codeName: "ALREADY_EXISTS", field: "urdf.link[arm].name" });
  const strict = { urdf: urdf.replace("<link", "<gazebo/><link"), options: { ...options, strict: true } };
  await assert.rejects(live.client.createRobotScene(strict), { field: "urdf.robot.gazebo" });
  await scene.delete();
});

test("bodies are set to other poses and velocities, all or none", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  await scene.step(3);
  const before = await scene.getInfo();
  const update = bodyUpdate("ball", { position: [1, 2, 3], linearVelocity: [0, 0, 0] });
  const info = await scene.updateBodies([update]);
  assert.equal(info.stepIndex, 3n);
  assert.equal(info.layoutVersion, before.layoutVersion);
  assert.notEqual(info.stateHash, before.stateHash);
  const { bodies, stateHash } = await scene.getState();
  assert.equal(stateHash, info.stateHash);
  assert.deepEqual([...bodies!.positionsWorldM], [1, 2, 3]);
  assert.deepEqual([...bodies!.linearVelocitiesWorldMS], [0, 0, 0]);
  await scene.updateBodies([bodyUpdate(1n, { orientation: [0, 1, 0, 0], angularVelocity: [0, 0, 4] })]);
  assert.deepEqual([...(await scene.getState()).bodies!.angularVelocitiesWorldRadS], [0, 0, 4]);
  const last = (await scene.getInfo()).stateHash;
  const refusals: [v1.BodyUpdate, Status, string][] = [
    [bodyUpdate("ghost", { position: [0, 0, 0] }), Status.NOT_FOUND, "updates[1].body_name"],
    [bodyUpdate(1, { position: [0, 0, 0] }), Status.INVALID_ARGUMENT, "updates[1].body_id"],
    [bodyUpdate("ball", {}), Status.INVALID_ARGUMENT, "updates[1].update_mask"],
    [{ ...update, updateMask: ["mass_kg"] }, Status.INVALID_ARGUMENT, "updates[1].update_mask.paths[0]"],
  ];
  for (const [wrong, code, field] of refusals) {
    await assert.rejects(scene.updateBodies([bodyUpdate("ball", { position: [9, 9, 9] }), wrong]), { code, field });
  }
  assert.equal((await scene.getInfo()).stateHash, last);
  await scene.delete();
});

test("scenes that the server was given are listed and made by name", async () => {
  for await (const scene of live.client.listNamedScenes()) assert.fail(`there is ${scene.name}`);
  await assert.rejects(live.client.createScene({ namedScene: "falling" }), { codeName: "NOT_FOUND", field: "named_scene" });
  const scenes = mkdtempSync(join(tmpdir(), "talus-scenes-"));
  const falling = { bodies: [{ massKg: 1, shapes: [{ sphere: { radiusM: 1 } }] }] };
  writeFileSync(join(scenes, "falling.json"), JSON.stringify(falling));
  writeFileSync(join(scenes, "empty.json"), "{}");
  const server = await launch({ args: ["--scenes", scenes] });
  const other = server.connect({ defaultTimeoutMs: 60_000 });
  const names: string[] = [];
  for await (const scene of other.listNamedScenes({ pageSize: 1 })) names.push(`${scene.name} ${scene.bodyCount}`);
  assert.deepEqual(names, ["empty 0", "falling 1"]);
  const made = await other.createScene({ namedScene: "falling", sceneId: "made" });
  assert.deepEqual([made.name, (await made.getInfo()).bodyCount], ["scenes/made", 1n]);
  other.close();
  await endWell(server);
  rmSync(scenes, { recursive: true });
});

test("creating again with the same request id gives the first scene", async () => {
  const request = { spec: FREE_FALL, requestId: "once", idleTtlS: 3600 };
  const first = await live.client.createScene(request);
  assert.equal((await first.getInfo()).idleTtlS, 3600);
  const again = await live.client.createScene(request);
  assert.equal(again.name, first.name);
  await first.delete();
});

test("steps give the state asked for", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const selection = { positions: true, velocities: true, orientations: true, report: true, layout: true };
  const { frame, stepsDone } = await scene.step(4, { selection, expectedStepIndex: 0 });
  assert.deepEqual([stepsDone, frame.stepIndex, frame.timeS], [4n, 4n, 0.5]);
  // v = -1, -2, -3, -4 m/s after each step; z = 100 - (1 + 2 + 3 + 4) / 8.
  assert.deepEqual([...frame.bodies!.positionsWorldM], [0, 0, 98.75]);
  assert.deepEqual([...frame.bodies!.linearVelocitiesWorldMS], [0, 0, -4]);
  assert.deepEqual([...frame.bodies!.orientationsWxyz], [1, 0, 0, 0]);
  assert.deepEqual([...frame.bodies!.angularVelocitiesWorldRadS], [0, 0, 0]);
  assert.equal(frame.report?.energy?.kineticTranslationJ, 16);
  assert.equal(frame.report?.stateHash, frame.stateHash);
  assert.deepEqual(frame.layout?.bodyNames, ["ball"]);
  const plain = await scene.step();
  assert.deepEqual([plain.frame.stepIndex, plain.frame.bodies, plain.frame.report], [5n, undefined, undefined]);
  await scene.delete();
});

test("steps tell of the bodies that were asked for", async () => {
  const massKg = 1;
  const balls = [0, 1, 2].map((x) => dynamicBody(sphere(0.1), { name: `ball${x}`, position: [x, 0, 0], massKg }));
  const scene = await live.client.createScene({ spec: { bodies: balls } });
  const selection = { positions: true };
  const { frame } = await scene.step(1, { selection, bodies: ["ball2", 1] });
  assert.deepEqual([...frame.rows!], [0, 2]);
  assert.equal(frame.bodies!.positionsWorldM.length, 6);
  const until = await scene.stepUntil({ timeS: 1e3 }, { stepCount: 1, selection, bodies: [2n] });
  assert.deepEqual([...until.frame.rows!], [1]);
  const state = await scene.getState(selection, { bodies: ["ball1"] });
  assert.deepEqual([...state.rows!, state.bodies!.positionsWorldM[0]], [1, 1]);
  await assert.rejects(scene.step(1, { bodies: ["nobody"] }), { codeName: "NOT_FOUND", value: '"nobody"' });
  assert.equal((await scene.getInfo()).stepIndex, 2n);
  await scene.delete();
});

test("contacts carry the full wrench and the weight", async () => {
  const scene = await live.client.createScene({ spec: RESTING_BALL });
  const { frame, worstResidual, unconvergedSteps } = await scene.step(50, { selection: { report: true } });
  assert.ok(worstResidual <= 1e-10 && unconvergedSteps === 0n);
  assert.equal(frame.report?.outcome, SolveOutcome.CONVERGED);
  const { contacts, layoutVersion } = await scene.getContacts();
  assert.equal(layoutVersion, scene.lastLayout?.layoutVersion);
  assert.equal(contacts?.count, 1);
  assert.deepEqual([contacts!.bodyARows[0], contacts!.bodyBRows[0]], [0, 1]);
  assert.deepEqual([...contacts!.normalsWorld], [0, 0, 1]);
  assert.equal(contacts!.modes[0]! & ContactMode.CLOSED, ContactMode.CLOSED);
  assert.ok(Math.abs(contacts!.forcesWorldN[2]! - 2 * 9.81) < 1e-6);
  assert.ok(Math.abs(contacts!.wrenchesContact[0]! - 2 * 9.81) < 1e-6);
  assert.equal(contacts!.wrenchesContact.length, 6);
  assert.ok(Math.abs(contacts!.gapsM[0]!) < 1e-9);
  await scene.delete();
});

test("queries agree with each other and change nothing", async () => {
  const scene = await live.client.createScene({ spec: RESTING_BALL });
  await scene.step(3);
  const state = await scene.getState();
  assert.equal(state.bodies?.count, 2);
  assert.equal(state.bodies?.linearVelocitiesWorldMS.length, 6);
  const layout = await scene.getLayout();
  assert.deepEqual(layout.bodyNames, ["floor", "ball"]);
  assert.deepEqual(layout.bodyKinds, [v1.BodyKindCode.STATIC, v1.BodyKindCode.DYNAMIC]);
  const energy = await scene.getEnergy();
  assert.equal(energy.stepIndex, 3n);
  assert.ok(Math.abs(energy.potentialJ - 2 * 9.81 * 0.5) < 1e-9);
  const diagnostics = await scene.getDiagnostics();
  assert.deepEqual([diagnostics.report?.stepIndex, diagnostics.watcherCount, diagnostics.fault], [3n, 0, ""]);
  assert.equal((await scene.getInfo()).stateHash, state.stateHash);
  const only = await scene.getState({ positions: true });
  assert.deepEqual([only.bodies?.positionsWorldM.length, only.bodies?.orientationsWxyz.length], [6, 0]);
  await scene.delete();
});

test("bodies come and go, and ids are not reused", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const ball = (name: string, x: number) => dynamicBody(sphere(0.1, { material: "rubber" }), {
    name,
    position: [x, 0, 0],
    densityKgM3: 1000,
  });
  const materials = [{ name: "rubber", material: { slidingFriction: 1 } }];
  const ids = await scene.addBodies([ball("b", 1), ball("c", 2)], { materials });
  assert.deepEqual(ids, [2n, 3n]);
  const version = scene.lastLayout!.layoutVersion;
  const layout = await scene.removeBodies([2n, "ball"]);
  assert.deepEqual([layout.bodyIds, layout.bodyNames], [[3n], ["c"]]);
  assert.ok(layout.layoutVersion > version);
  assert.deepEqual(await scene.addBodies([ball("d", 3)]), [4n]);
  await scene.delete();
});

test("emitters come, pour and go; their particles stay", async () => {
  const scene = await live.client.createScene({ spec: pouringStones(20) });
  const source = { radiusMinM: 0.01, radiusMaxM: 0.01, densityKgM3: 1000, ratePerS: 100, particleCount: 5 };
  const added = await scene.addEmitters([emitter({ name: "second", centerWorldM: { z: 3 }, nozzleHeightM: 1, ...source })]);
  assert.deepEqual([added.emitterCount, added.particlesPending], [2n, 25n]);
  await scene.step(20);
  const after = await scene.removeEmitters(["hopper", "second"]);
  assert.deepEqual([after.emitterCount, after.particlesPending], [0n, 0n]);
  assert.ok(after.bodyCount > 5n, `${after.bodyCount}`);
  await scene.delete();
});

test("rays tell what they hit", async () => {
  const scene = await live.client.createScene({ spec: FREE_FALL });
  const { stateHash } = await scene.getInfo();
  const z = (await scene.getState()).bodies!.positionsWorldM[2]!;
  const down = { originWorldM: { z: z + 5 }, directionWorld: { z: -2 } };
  const away = { originWorldM: { z: z + 5 }, directionWorld: { z: 2 } };
  const hits = await scene.castRays([down, away, { ...down, maxDistanceM: 4 }]);
  assert.equal(hits.count, 3);
  assert.deepEqual([...hits.bodyIds], [1n, 0n, 0n]);
  assert.ok(Math.abs(hits.distancesM[0]! - 4.9) < 1e-12);
  assert.deepEqual([...hits.distancesM.subarray(1)], [Infinity, Infinity]);
  assert.ok(Math.abs(hits.pointsWorldM[2]! - z - 0.1) < 1e-12);
  assert.deepEqual([...hits.normalsWorld.subarray(0, 3)].map((v) => v + 0), [0, 0, 1]);
  assert.deepEqual([hits.stepIndex, hits.layoutVersion], [0n, scene.lastLayout!.layoutVersion]);
  assert.deepEqual([...(await scene.castRays([down], { ignoredBodyIds: [1n] })).bodyIds], [0n]);
  await assert.rejects(scene.castRays([down, { directionWorld: {} }]), { field: "rays[1].direction_world" });
  assert.equal((await scene.getInfo()).stateHash, stateHash);
  await scene.delete();
});

test("joints come, carry and go", async () => {
  const spec = {
    bodies: [dynamicBody(sphere(0.1), { name: "ball", position: [0, 0, 1], massKg: 2 })],
    settings: { solver: { solver: ContactSolver.NEWTON } },
  };
  const scene = await live.client.createScene({ spec });
  const at = { positionA: [0, 0, 1] as const };
  assert.deepEqual(await scene.addJoints([joints.ball("", "ball", { name: "hook", ...at }), joints.weld("", "ball", at)]), [1n, 2n]);
  assert.equal(scene.lastInfo?.jointCount, 2n);
  await scene.step(5);
  const carried = await scene.getJoints();
  assert.deepEqual(carried.map(({ name }) => name), ["hook", ""]);
  const force = carried.reduce((sum, { forceN }) => sum + forceN!.z, 0);
  assert.ok(Math.abs(force - 2 * 9.81) < 0.02, `${force}`);
  assert.equal((await scene.removeJoints(["hook", 2n])).jointCount, 0n);
  await scene.addJoints([joints.guide("", "ball", { along: joints.motor(0.5), ...at })]);
  await scene.step(2);
  const moved = await scene.getState({ velocities: true });
  assert.ok(Math.abs(moved.bodies!.linearVelocitiesWorldMS![0]! - 0.5) < 1e-3);
  await scene.delete();
});

test("a unix socket serves as well as a port, and any number of workers gives the same bits", async () => {
  const hashes = new Set<bigint>();
  for (const workers of [1, 2, 3]) {
    const server = await launch({ listen: [`unix:/tmp/talus-${process.pid}-${workers}.sock`, "127.0.0.1:0"], workers });
    for (const address of server.addresses) {
      const client = connect(address, { defaultTimeoutMs: 60_000 });
      const scene = await client.createScene({ spec: pouringStones(40) });
      hashes.add((await scene.step(200)).frame.stateHash);
      client.close();
    }
    await endWell(server);
  }
  assert.equal(hashes.size, 1);
});
