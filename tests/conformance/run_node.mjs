// Executes conformance transcripts through the Node client; README.md says what it prints.
//
// Usage: run_node.mjs --server ADDR FILE.binpb...    (TALUS_BUILD_DIR=build/<preset>)
import { readFileSync, writeSync } from "node:fs";
import { basename } from "node:path";

import { ABSENT, assign, enumeratorName, find, sizeAt } from "./node/message_path.mjs";
import { fromBinary, SCHEMA, talus, TRANSCRIPT, UsageError } from "./node/packages.mjs";
import { bitsEqual, show } from "./node/value_text.mjs";

const CALL = { timeoutMs: 60_000 };
const VALUE_KINDS = ["UNSPECIFIED", "NUMBER", "INTEGER", "TEXT", "ENUMERATOR", "BOOLEAN", "BYTES"];

// Check -> the kind of value it needs.
const KINDS = {
  number: "NUMBER",
  above: "NUMBER",
  below: "NUMBER",
  integer: "INTEGER",
  text: "TEXT",
  notEmpty: "TEXT",
  enumerator: "ENUMERATOR",
  boolean: "BOOLEAN",
};

// Whether a value that is not absent is as the check wants it.
const HOLDS = {
  number: (value, wanted, tolerance) => value === wanted || Math.abs(value - wanted) <= tolerance,
  above: (value, wanted) => value > wanted,
  below: (value, wanted) => value < wanted,
  integer: (value, wanted) => BigInt(value) === wanted,
  size: (value, wanted) => BigInt(value) === wanted,
  text: (value, wanted) => value === wanted,
  enumerator: (value, wanted) => value === wanted,
  boolean: (value, wanted) => value === wanted,
  notEmpty: (value, wanted) => (value !== "") === wanted,
  sameAs: (value, wanted) => bitsEqual(value, wanted),
  differentFrom: (value, wanted) => !bitsEqual(value, wanted),
  absent: (_value, wanted) => !wanted,
};

function print(line) {
  writeSync(1, `${line}\n`);
}

// Executes transcripts on one connection and counts what held.
class Runner {
  exchanges = 0;
  checks = 0;
  failed = 0;
  saved = new Map();
  streams = new Map();

  constructor(client) {
    this.client = client;
  }

  // Saved values and open streams end with the transcript.
  async run(name, transcript) {
    print(`transcript ${name}`);
    this.saved.clear();
    try {
      for (const exchange of transcript.exchanges) {
        await this.exchange(exchange).catch((error) => {
          if (error instanceof UsageError) error.message = `${name}, ${exchange.name}: ${error.message}`;
          throw error;
        });
      }
    } finally {
      for (const { stream } of this.streams.values()) stream.cancel();
      this.streams.clear();
    }
  }

  async exchange(exchange) {
    const { root, error } = await this.call(exchange);
    this.exchanges += 1;
    this.checks += exchange.expects.length;
    const code = error?.codeName ?? "OK";
    const reason = error ? enumeratorName(SCHEMA.getEnum("talus.v1.ErrorReason"), error.reason) : "";
    print(`exchange ${exchange.name} code=${code}${error ? ` reason=${reason}` : ""}`);
    const wanted = exchange.code || "OK";
    let good = this.judge(code === wanted, `code must be ${wanted}${error ? `: ${error.message}` : ""}`);
    if (wanted !== "OK") good = this.judge(reason === exchange.reason, `reason must be ${exchange.reason}`) && good;
    if (!good) return;
    for (const expectation of exchange.expects) this.check(root, expectation);
    for (const save of exchange.saves) this.save(root, save);
  }

  // The root that paths start from, and how the call failed if it did.
  async call(exchange) {
    if (exchange.method === "") {
      const open = this.streams.get(exchange.stream);
      if (open === undefined) throw new UsageError(`no open stream '${exchange.stream}'`);
      this.streams.delete(exchange.stream);
      return this.collect(exchange, open);
    }
    const [serviceName, methodName] = exchange.method.split("/");
    const described = SCHEMA.getService(`talus.v1.${serviceName}`)?.methods.find((one) => one.name === methodName);
    if (described === undefined) throw new UsageError(`unknown method ${exchange.method}`);
    const method = talus.v1[`${serviceName}Service`][described.localName];
    const { input, output } = described;
    if (exchange.request?.typeUrl !== `type.googleapis.com/${input.typeName}`) {
      throw new UsageError(`${exchange.method} takes no ${exchange.request?.typeUrl}`);
    }
    const request = talus.v1[input.name].decode(exchange.request.value);
    for (const use of exchange.uses) assign(input, request, use.path, this.savedValue(use.from).value);
    if (method.responseStream) {
      return this.collect(exchange, { stream: this.client.stream(method, request, CALL), message: output });
    }
    try {
      return { root: { message: output, object: await this.client.call(method, request, CALL) } };
    } catch (error) {
      return { root: errorRoot(error), error };
    }
  }

  async collect(exchange, open) {
    const list = [];
    const root = { message: open.message, list };
    try {
      for (;;) {
        const { done, value } = await open.stream.next();
        if (done) return { root };
        list.push(value);
        if (list.length !== exchange.collect) continue;
        if (exchange.stream !== "") this.streams.set(exchange.stream, open);
        else open.stream.cancel();
        return { root };
      }
    } catch (error) {
      if (!(error instanceof talus.TalusError)) throw error;
      return { root, error };
    }
  }

  savedValue(name) {
    const saved = this.saved.get(name);
    if (saved === undefined) throw new UsageError(`nothing was saved as '${name}'`);
    return saved;
  }

  check(root, { path, check, tolerance, unprinted }) {
    if (check.case === undefined) throw new UsageError(`nothing to check at '${path}'`);
    let wanted = check.value;
    let found;
    let label = path;
    if (check.case === "size") {
      found = { kind: "INTEGER", value: sizeAt(root, path) };
      label = `size(${path})`;
    } else {
      found = find(root, path);
    }
    let kind = KINDS[check.case] ?? found.kind;
    if (check.case === "sameAs" || check.case === "differentFrom") ({ kind, value: wanted } = this.savedValue(wanted));
    if (check.case !== "absent" && found.kind !== kind) throw new UsageError(`'${path}' is no ${kind}`);
    print(`  ${label}=${unprinted ? "~" : show(found.value, kind)}`);
    const holds = found.value === ABSENT ? check.case === "absent" && wanted : HOLDS[check.case](found.value, wanted, tolerance);
    this.judge(holds, `must be ${check.case} ${String(wanted)}`);
  }

  save(root, { path, as, kind: kindNumber, unprinted }) {
    const kind = VALUE_KINDS[kindNumber];
    const found = find(root, path);
    if (found.kind !== kind) throw new UsageError(`'${path}' is no ${kind}`);
    print(`  save ${as}=${unprinted ? "~" : show(found.value, kind)}`);
    if (found.value !== ABSENT) this.saved.set(as, found);
  }

  judge(holds, text) {
    if (!holds) {
      this.failed += 1;
      print(`    FAIL ${text}`);
    }
    return holds;
  }
}

// The detail that a failed unary call came with.
function errorRoot(error) {
  if (!(error instanceof talus.TalusError)) throw error;
  const object = { ...error, retryAfterMs: BigInt(error.retryAfterMs) };
  return { message: SCHEMA.getMessage("talus.v1.ErrorDetail"), object };
}

function readTranscript(path) {
  try {
    return fromBinary(TRANSCRIPT, readFileSync(path));
  } catch (error) {
    throw new UsageError(`${path} is no transcript: ${error.message}`);
  }
}

async function main([option, address, ...files]) {
  if (option !== "--server" || address === undefined || files.length === 0) {
    throw new UsageError("usage: run_node.mjs --server ADDR FILE.binpb...");
  }
  const client = talus.connect(address);
  try {
    const runner = new Runner(client);
    for (const file of files) await runner.run(basename(file, ".binpb"), readTranscript(file));
    print(`exchanges ${runner.exchanges} checks ${runner.checks} failed ${runner.failed}`);
    return runner.failed === 0 ? 0 : 1;
  } finally {
    client.close();
  }
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error) => {
    console.error(error instanceof UsageError ? error.message : error.stack);
    process.exitCode = 2;
  },
);
