// A run recorded by talusctl is read back frame by frame, and is the same run that this client steps.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

import { findServer, type Frame, readFrames, sceneSpec, sceneSpecFromJson, v1 } from "talus";

import { LiveServer, pouringStones } from "./live_server";

const live = new LiveServer();
const folder = mkdtempSync(join(tmpdir(), "talus-recording-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const talusctl = join(dirname(findServer()), "talusctl");

test("a recording of talusctl is the run itself", { skip: existsSync(talusctl) ? false : "no talusctl" }, async () => {
  const spec = sceneSpec(pouringStones(30));
  const file = join(folder, "scene.json");
  writeFileSync(file, JSON.stringify(v1.SceneSpec.toJSON(spec)));
  assert.deepEqual(sceneSpecFromJson(readFileSync(file, "utf8")), spec);
  const out = join(folder, "run");
  const options = ["--out", out, "--steps", "100", "--frames-every", "25", "--contacts", "--quiet"];
  execFileSync(talusctl, ["run", file, ...options], { timeout: 120_000, stdio: "ignore" });

  const frames: Frame[] = [];
  for await (const frame of readFrames(join(out, "frames.binpb"))) frames.push(frame);
  assert.equal(frames.at(-1)?.stepIndex, 100n);
  const scene = await live.client.createScene({ spec });
  let layoutVersion = -1n;
  for (const frame of frames) {
    const behind = frame.stepIndex - (await scene.getInfo()).stepIndex;
    if (behind > 0n) await scene.step(behind);
    const state = await scene.getState({ positions: true, contacts: true, layout: true });
    assert.deepEqual([frame.stepIndex, frame.stateHash], [state.stepIndex, state.stateHash]);
    assert.deepEqual(frame.bodies?.positionsWorldM, state.bodies?.positionsWorldM);
    assert.deepEqual(frame.contacts?.wrenchesContact, state.contacts?.wrenchesContact);
    assert.equal(frame.layout !== undefined, frame.layoutVersion !== layoutVersion, "the layout comes when it changed");
    if (frame.layout) assert.deepEqual(frame.layout, state.layout);
    layoutVersion = frame.layoutVersion;
  }
  await scene.delete();
});
