// A real talus_server for a test file, and the scenes the tests step.
import assert from "node:assert/strict";
import { after, before } from "node:test";

import {
  type Client,
  container,
  dynamicBody,
  emitter,
  launch,
  type LaunchOptions,
  type PartialMessage,
  plane,
  type Scene,
  type Server,
  sphere,
  staticBody,
  type TalusError,
  v1,
} from "talus";

export type Spec = PartialMessage<typeof v1.SceneSpec>;

/** A server that lives as long as the test file; its fields are set before the first test. */
export class LiveServer {
  server!: Server;
  client!: Client;

  constructor(options: LaunchOptions = {}) {
    before(async () => {
      this.server = await launch({ workers: 2, ...options });
      this.client = this.server.connect({ defaultTimeoutMs: 60_000 });
    });
    after(async () => {
      this.client.close();
      await endWell(this.server);
    });
  }
}

/** Stops the server, which must exit with 0: a leak found at its exit is another code. */
export async function endWell(server: Server): Promise<void> {
  assert.deepEqual(await server.stop(60_000), { code: 0, signal: null }, server.recentLogs);
}

/** A ball of 2 kg that falls from 100 m and meets nothing; h = 1/8 s, g = 8 m/s^2, so the numbers are exact. */
export const FREE_FALL: Spec = {
  bodies: [dynamicBody(sphere(0.1), { name: "ball", position: [0, 0, 100], massKg: 2 })],
  settings: { timeStepS: 0.125, gravityWorldMS2: { x: 0, y: 0, z: -8 } },
};

/** A ball of 2 kg at rest on a plane: one contact, which carries its weight. */
export const RESTING_BALL: Spec = {
  materials: [{ name: "stone", material: { slidingFriction: 0.5, rollingFrictionM: 0.01, spinningFrictionM: 0.01 } }],
  bodies: [
    staticBody(plane([0, 0, 1], { material: "stone" }), { name: "floor" }),
    dynamicBody(sphere(0.5, { material: "stone" }), { name: "ball", position: [0, 0, 0.5], massKg: 2 }),
  ],
  settings: { timeStepS: 0.01, solver: { tolerance: 1e-10 } },
};

/** `count` stones that pour into a tray. A step of it, once they lie there, takes long enough to be interrupted. */
export function pouringStones(count: number): Spec {
  return {
    materials: [{ name: "stone", material: { slidingFriction: 0.5, rollingFrictionM: 0.005 } }],
    bodies: [
      staticBody(
        container(
          { innerLengthXM: 1, innerLengthYM: 1, wallHeightM: 0.5, thicknessM: 0.1 },
          { material: "stone" },
        ),
        { name: "tray" },
      ),
    ],
    emitters: [
      emitter({
        name: "hopper",
        centerWorldM: { x: 0, y: 0, z: 0.8 },
        nozzleRadiusM: 0.2,
        nozzleHeightM: 0.2,
        ratePerS: 1000,
        particleCount: count,
        seed: 7,
        radiusMinM: 0.03,
        radiusMaxM: 0.04,
        densityKgM3: 2500,
        material: "stone",
      }),
    ],
  };
}

/** A pyramid of balls, each in the hollow of four; 18 layers are 2109 balls with far more than 3000 contacts. */
export function cannonballs(layers: number, solver: PartialMessage<typeof v1.SolverSettings>): Spec {
  const radius = 0.1;
  const spacing = 0.201;
  const rise = Math.sqrt(4 * radius ** 2 - spacing ** 2 / 2);
  const bodies = [staticBody(plane([0, 0, 1], { material: "stone" }))];
  for (let layer = 0; layer < layers; ++layer) {
    for (let i = layer / 2; i < layers - layer / 2; ++i) {
      for (let j = layer / 2; j < layers - layer / 2; ++j) {
        const position: [number, number, number] = [spacing * i, spacing * j, radius + rise * layer];
        bodies.push(dynamicBody(sphere(radius, { material: "stone" }), { position, densityKgM3: 1000 }));
      }
    }
  }
  return {
    materials: [
      { name: "stone", material: { slidingFriction: 0.5, rollingFrictionM: 0.002, spinningFrictionM: 0.002 } },
    ],
    bodies,
    settings: { solver },
  };
}

/** More steps than any test waits for. */
export const ENDLESS = 900_000;

/** What must stay the same when a call fails. */
export async function fingerprint(scene: Scene): Promise<unknown> {
  const { stepIndex, stateHash, bodyCount, emitterCount, layoutVersion } = await scene.getInfo();
  return { stepIndex, stateHash, bodyCount, emitterCount, layoutVersion };
}

/** The names of all scenes. */
export async function sceneNames(client: Client): Promise<string[]> {
  const names: string[] = [];
  for await (const scene of client.listScenes()) names.push(scene.scene);
  return names;
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<TalusError> {
  return call.then(
    () => assert.fail("the call must fail"),
    (error: TalusError) => {
      assert.equal(error.name, "TalusError", String(error.stack));
      return error;
    },
  );
}

/** Resolves once the scene has begun to step. */
export async function stepping(scene: Scene, from = 0n): Promise<void> {
  while ((await scene.getInfo()).stepIndex <= from) await pause(5);
}

/** Resolves once so many calls wait for the scene. */
export async function queued(scene: Scene, count = 1): Promise<void> {
  while ((await scene.getDiagnostics()).mailboxDepth !== count) await pause(5);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

