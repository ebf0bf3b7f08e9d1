// TLS, client certificates and tokens through the Node client, against the real server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { connect, launch, type Server, Status } from "talus";

import { endWell, errorOf, FREE_FALL } from "./live_server";

const TOKENS = { read: "token-that-may-read", control: "token-that-may-control" };
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

let folder: string;
let server: Server;

/** The file of that name in the tests' folder. */
const file = (name: string) => join(folder, name);

function openssl(...args: string[]): void {
  execFileSync("openssl", args, { stdio: "ignore" });
}

function makeAuthority(name: string): void {
  openssl("req", "-x509", ...NEW_KEY, "-subj", `/CN=${name}`, "-days", "2", "-keyout", file(`${name}.key`), "-out", file(`${name}.pem`));
}

/** A certificate for localhost and its key, `name`.pem and `name`.key. */
function issue(authority: string, name: string): void {
  writeFileSync(file(`${name}.ext`), "subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n");
  openssl("req", ...NEW_KEY, "-subj", `/CN=${name}`, "-keyout", file(`${name}.key`), "-out", file(`${name}.csr`));
  const signing = ["-CA", file(`${authority}.pem`), "-CAkey", file(`${authority}.key`), "-CAcreateserial"];
  openssl("x509", "-req", "-in", file(`${name}.csr`), ...signing, "-days", "2", "-extfile", file(`${name}.ext`), "-out", file(`${name}.pem`));
}

const tlsOf = (authority: string, name: string) => ({
  ca: readFileSync(file(`${authority}.pem`)),
  certificate: readFileSync(file(`${name}.pem`)),
  key: readFileSync(file(`${name}.key`)),
});

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "talus-access-"));
  makeAuthority("authority");
  makeAuthority("stranger");
  issue("authority", "server");
  issue("authority", "client");
  issue("stranger", "intruder");
  const table = Object.entries(TOKENS).map(
    ([scope, token]) => `${scope}er ${scope} ${createHash("sha256").update(token).digest("hex")}\n`,
  );
  writeFileSync(file("tokens"), table.join(""), { mode: 0o600 });
  const args = ["--tls-cert", file("server.pem"), "--tls-key", file("server.key"), "--tls-client-ca", file("authority.pem")];
  server = await launch({ args: [...args, "--token-file", file("tokens")] });
});

after(async () => {
  await endWell(server);
  rmSync(folder, { recursive: true, force: true });
});

test("certificate and token let a client work", async () => {
  const client = connect(server.address, { tls: tlsOf("authority", "client"), token: TOKENS.control });
  const scene = await client.createScene({ spec: FREE_FALL });
  const result = await scene.step(8);
  assert.equal(result.stepsDone, 8n);
  for await (const { frame } of scene.watch({ frameLimit: 1n })) assert.equal(frame.stepIndex, 8n);
  await scene.delete();
  client.close();
});

test("a token reaches as far as its scope", async () => {
  const tls = tlsOf("authority", "client");
  const viewer = connect(server.address, { tls, token: TOKENS.read });
  assert.equal((await viewer.getServerInfo()).version, "0.1.0");
  const refused = await errorOf(viewer.createScene({ spec: FREE_FALL }));
  assert.equal(refused.code, Status.PERMISSION_DENIED);
  assert.match(refused.reasonName, /SCOPE_MISSING$/);
  viewer.close();
  for (const token of [undefined, "token-of-nobody"]) {
    const nobody = connect(server.address, token === undefined ? { tls } : { tls, token });
    const error = await errorOf(nobody.getServerInfo());
    assert.equal(error.code, Status.UNAUTHENTICATED);
    assert.ok(!error.message.includes("token-of-nobody"));
    nobody.close();
  }
});

test("who does not fit gets no connection", async () => {
  const token = TOKENS.control;
  const own = tlsOf("authority", "client");
  for (const tls of [
    { ...own, ca: readFileSync(file("stranger.pem")) },
    { ...own, ...tlsOf("stranger", "intruder"), ca: own.ca },
    { ca: own.ca },
  ]) {
    const client = connect(server.address, { tls, token, defaultTimeoutMs: 10_000 });
    assert.equal((await errorOf(client.getServerInfo())).code, Status.UNAVAILABLE);
    client.close();
  }
});

test("a token does not leave the machine in plain text", () => {
  assert.throws(() => connect("sim.example:50051", { token: "secret" }), /plain text/);
  assert.throws(() => connect("127.evil.example:50051", { token: "secret" }), /plain text/);
  for (const address of ["localhost:1", "127.0.0.1:1", "[::1]:1", "unix:/run/x"]) {
    connect(address, { token: "secret" }).close();
  }
  assert.throws(() => connect("localhost:1", { tls: { certificate: Buffer.from("x") } }), /need each other/);
});
