// Laws with flat sides, elastic surfaces and pairs of materials, through the Node client.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ContactLaw, ContactSolver, ErrorReason, SolveOutcome } from "talus";

import { errorOf, LiveServer, RESTING_BALL, type Spec } from "./live_server";

const live = new LiveServer();
const WEIGHT_N = 2 * 9.81; // of the ball

test("laws with flat sides step, and tell their settings", async () => {
  for (const law of [ContactLaw.BOX, ContactLaw.POLYGONAL, ContactLaw.BRISTLE]) {
    const spec = { ...RESTING_BALL, settings: { timeStepS: 0.01, solver: { law, facetCount: 8 } } };
    const scene = await live.client.createScene({ spec });
    const { frame } = await scene.step(20, { selection: { report: true } });
    assert.equal(frame.report?.outcome, SolveOutcome.CONVERGED);
    const solver = (await scene.getInfo()).settings?.solver;
    assert.deepEqual([solver?.law, solver?.facetCount], [law, 8]);
    const { contacts } = await scene.getContacts();
    assert.ok(Math.abs(contacts!.forcesWorldN[2]! - WEIGHT_N) < 1e-6, `${contacts!.forcesWorldN[2]}`);
    await scene.delete();
  }
});

test("a law with flat sides takes no sweeps", async () => {
  const solver = { law: ContactLaw.BOX, solver: ContactSolver.PSOR };
  const error = await errorOf(live.client.createScene({ spec: { ...RESTING_BALL, settings: { solver } } }));
  assert.deepEqual([error.codeName, error.reason], ["INVALID_ARGUMENT", ErrorReason.INVALID_FIELD]);
  assert.match(error.message, /solver/);
});

test("solvers of bare problems carry a ball, and psor tells its settings", async () => {
  const { CCP } = ContactLaw;
  const { NSGS, ADMM, PSOR } = ContactSolver;
  const psor = { relaxation: 0.5, averaging: 0.75, sequential: false };
  for (const chosen of [{ solver: NSGS }, { law: CCP, solver: ADMM }, { law: CCP, solver: PSOR, psor }]) {
    const spec = { ...RESTING_BALL, settings: { timeStepS: 0.01, solver: { tolerance: 1e-8, ...chosen } } };
    const scene = await live.client.createScene({ spec });
    const { frame } = await scene.step(20, { selection: { report: true } });
    assert.equal(frame.report?.outcome, SolveOutcome.CONVERGED);
    const solver = (await scene.getInfo()).settings?.solver;
    assert.equal(solver?.solver, chosen.solver);
    assert.deepEqual({ ...solver?.psor }, chosen.solver === PSOR ? psor : {});
    const { contacts } = await scene.getContacts();
    assert.ok(Math.abs(contacts!.forcesWorldN[2]! - WEIGHT_N) < 1e-5, `${contacts!.forcesWorldN[2]}`);
    await scene.delete();
  }
});

test("an elastic pair sinks by its weight over its stiffness", async () => {
  const pair = (stiffness: number): Spec => ({
    ...RESTING_BALL,
    materialPairs: [
      {
        materialA: "stone",
        materialB: "stone",
        material: { slidingFriction: 0.5, elasticity: { normalStiffnessNPerM: stiffness, normalDampingNSPerM: 200 } },
      },
    ],
  });
  const scene = await live.client.createScene({ spec: pair(1e4) });
  await scene.step(200);
  const { contacts } = await scene.getContacts();
  assert.ok(Math.abs(contacts!.gapsM[0]! + WEIGHT_N / 1e4) < 1e-8, `${contacts!.gapsM[0]}`);
  await scene.delete();
  const error = await errorOf(live.client.createScene({ spec: pair(-1) }));
  assert.deepEqual([error.codeName, error.field], [
    "INVALID_ARGUMENT",
    "spec.material_pairs[0].material.elasticity.normal_stiffness_n_per_m",
  ]);
});
