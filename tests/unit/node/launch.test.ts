// The life of a child server, with scripts in the place of talus_server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { findServer, launch } from "talus";

const folder = mkdtempSync(join(tmpdir(), "talus-launch-"));
after(() => rmSync(folder, { recursive: true }));

// A program that behaves as `body` says; its arguments are process.argv.slice(2).
function program(name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const WELL_BEHAVED = `
  const args = process.argv.slice(2);
  process.on("SIGTERM", () => process.exit(0));
  if (args.includes("--end-with-stdin")) process.stdin.resume().on("end", () => process.exit(0));
  args.forEach((arg, i) => arg === "--listen" && console.log("listening on " + args[i + 1].replace(":0", ":4242")));
  console.error("log: " + args.join(" "));
  setInterval(() => {}, 1000);`;

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 6000; ++tries) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    // A child that has ended but whose parent is gone may stay a zombie until init reaps it.
    if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

test("launch resolves with every real address, and stop drains", async () => {
  const server = await launch({
    server: program("good", WELL_BEHAVED),
    listen: ["127.0.0.1:0", "unix:/tmp/x.sock"],
    workers: 3,
    args: ["--max-scenes", "7"],
  });
  assert.deepEqual(server.addresses, ["127.0.0.1:4242", "unix:/tmp/x.sock"]);
  assert.equal(server.address, "127.0.0.1:4242");
  const status = await server.stop();
  assert.deepEqual(status, { code: 0, signal: null });
  const [, dataDir] = /--data-dir (\S+) --workers 3 --max-scenes 7/.exec(server.recentLogs)!;
  assert.equal(existsSync(dataDir!), false, "its own data directory goes with it");
});

const TELLING = `
  const ours = Object.entries(process.env).filter(([name]) => name.includes("TALUS_"));
  console.error("env: " + JSON.stringify(Object.fromEntries(ours)));${WELL_BEHAVED}`;

async function variablesOf(options: { env?: NodeJS.ProcessEnv }): Promise<NodeJS.ProcessEnv> {
  const server = await launch({ server: program("telling", TELLING), ...options });
  await server.stop();
  return JSON.parse(/^env: (.*)$/m.exec(server.recentLogs)![1]!);
}

test("variables meant for another server are not passed on, given ones are", async () => {
  process.env["TALUS_AUTOSAVE_SECONDS"] = "many";
  process.env["NOT_TALUS_BUT_NEAR"] = "kept";
  try {
    assert.deepEqual(await variablesOf({}), { NOT_TALUS_BUT_NEAR: "kept" });
    const given = await variablesOf({ env: { ...process.env, TALUS_MAX_SCENES: "7" } });
    assert.deepEqual([given["TALUS_MAX_SCENES"], given["TALUS_AUTOSAVE_SECONDS"]], ["7", "many"]);
  } finally {
    delete process.env["TALUS_AUTOSAVE_SECONDS"];
    delete process.env["NOT_TALUS_BUT_NEAR"];
  }
});

test("a given data directory stays", async () => {
  const server = await launch({ server: program("good", WELL_BEHAVED), dataDir: folder });
  await server.kill();
  assert.ok(existsSync(folder));
});

test("a server that ends, says nothing or is not there fails with what it logged", async () => {
  const ended = program("ended", `console.error("no such option"); process.exitCode = 2;`);
  await assert.rejects(launch({ server: ended }), /exit code 2\nno such option/);
  const silent = program("silent", `console.error("thinking"); setInterval(() => {}, 1000);`);
  await assert.rejects(launch({ server: silent, startTimeoutMs: 500 }), /did not listen within 500 ms/);
  await assert.rejects(launch({ server: join(folder, "missing") }), /did not start: .*ENOENT/);
});

test("a drain has longer to end than the server's own limit on it, 10 s", async () => {
  const server = await launch({ server: program("good", WELL_BEHAVED) });
  const { setTimeout: original } = globalThis;
  const delays: (number | undefined)[] = [];
  globalThis.setTimeout = ((act: () => void, ms?: number) => {
    delays.push(ms);
    return original(act, ms);
  }) as typeof setTimeout;
  try {
    const ended = server.stop();
    assert.deepEqual(delays, [15_000]);
    await ended;
  } finally {
    globalThis.setTimeout = original;
  }
});

test("a server that does not drain in time is killed", async () => {
  const stubborn = program("stubborn", WELL_BEHAVED.replace("process.exit(0)", "{}"));
  const server = await launch({ server: stubborn });
  assert.deepEqual(await server.stop(200), { code: null, signal: "SIGKILL" });
});

const ENDS = [
  "process.exit(3)",
  "throw new Error('uncaught')",
  "process.kill(process.pid, 'SIGTERM')",
  "process.kill(process.pid, 'SIGKILL')", // nothing of the parent runs any more: the pipe of standard input tells
];
for (const end of ENDS) {
  test(`the server does not outlive a process that ends by ${end}`, async () => {
    const script = `
      const { launch } = require(${JSON.stringify(require.resolve("talus"))});
      launch({ server: ${JSON.stringify(program("good", WELL_BEHAVED))} }).then((server) => {
        setInterval(() => {
          const data = /--data-dir (\\S+)/.exec(server.recentLogs);
          if (data === null) return;
          console.log(server.pid + " " + data[1]);
          ${end};
        }, 10);
      });`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once("close", (...status) => resolve(status)),
    );
    assert.ok(code !== 0 && (code !== null || signal === "SIGTERM" || signal === "SIGKILL"), `${code} ${signal}`);
    const [pid, dataDir] = output.trim().split(" ");
    assert.ok(await isGone(Number(pid)));
    if (signal !== "SIGKILL") assert.equal(existsSync(dataDir!), false, "its own data directory goes with it");
    rmSync(dataDir!, { recursive: true, force: true });
  });
}

test("the binary is found by $TALUS_SERVER, then by $PATH", () => {
  const { TALUS_SERVER, PATH } = process.env;
  try {
    process.env["TALUS_SERVER"] = "/somewhere/talus_server";
    assert.equal(findServer(), "/somewhere/talus_server");
    delete process.env["TALUS_SERVER"];
    process.env["PATH"] = folder;
    program("talus_server", "");
    assert.match(findServer(), /\/talus_server$/);
  } finally {
    if (TALUS_SERVER === undefined) delete process.env["TALUS_SERVER"];
    else process.env["TALUS_SERVER"] = TALUS_SERVER;
    process.env["PATH"] = PATH;
  }
});
