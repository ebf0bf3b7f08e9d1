// Unary calls of Step through the Node client and of the bare echo through the same gRPC, in turn.
// program_client.h says how it is called and what it prints.
"use strict";

const { createRequire } = require("node:module");
const path = require("node:path");
const { parseArgs } = require("node:util");

const BLOCK = 500;
const WARM_UP = 500; // until the compiler has seen enough
// EchoRequest{payload: 16 bytes}; an EchoResponse of it has the same bytes.
const ECHO = Buffer.concat([Buffer.from([0x0a, 0x10]), Buffer.from("0123456789abcdef")]);

class Times {
  tripsUs = [];
  busyS = 0;

  async addBlock(call, count) {
    const start = process.hrtime.bigint();
    let before = start;
    for (let k = 0; k < count; ++k) {
      await call();
      const after = process.hrtime.bigint();
      this.tripsUs.push(Number(after - before) / 1e3);
      before = after;
    }
    this.busyS += Number(before - start) / 1e9;
  }

  told(prefix) {
    const ordered = [...this.tripsUs].sort((a, b) => a - b);
    const quantile = (share) => ordered[Math.ceil(share * ordered.length) - 1];
    return {
      [`${prefix}median_us`]: quantile(0.5),
      [`${prefix}p99_us`]: quantile(0.99),
      [`${prefix}rate_per_s`]: ordered.length / this.busyS,
    };
  }
}

async function main() {
  const text = { type: "string" };
  const { values } = parseArgs({
    options: { package: text, talus: text, echo: text, scene: text, seconds: text, count: text },
  });
  const fromPackage = createRequire(path.join(values.package, "package.json"));
  const talus = fromPackage(path.join(values.package, "dist", "index.js"));
  const grpc = fromPackage("@grpc/grpc-js");

  const client = await talus.connect(values.talus);
  const scene = client.scene(`scenes/${values.scene}`);
  const channel = new grpc.Client(values.echo, grpc.credentials.createInsecure());
  const same = (bytes) => bytes;
  const send = () =>
    new Promise((resolve, reject) => {
      channel.makeUnaryRequest("/talus.bench.EchoService/Echo", same, same, ECHO, (error, answer) => {
        if (error !== null) reject(error);
        else if (!ECHO.equals(answer)) reject(new Error("the echo sent something else"));
        else resolve();
      });
    });
  let last;
  const step = async () => {
    last = await scene.step(1);
  };

  const count = Number(values.count ?? 0);
  const seconds = Number(values.seconds ?? 10);
  for (const call of [send, step]) await new Times().addBlock(call, count ? Math.min(count, WARM_UP) : WARM_UP);
  const steps = new Times();
  const echoes = new Times();
  const end = process.hrtime.bigint() + BigInt(Math.round(seconds * 1e9));
  while (count ? steps.tripsUs.length < count : process.hrtime.bigint() < end) {
    const block = count ? Math.min(BLOCK, count - steps.tripsUs.length) : BLOCK;
    await echoes.addBlock(send, block);
    await steps.addBlock(step, block);
  }
  const told = {
    count: steps.tripsUs.length,
    ...steps.told(""),
    ...echoes.told("echo_"),
    step_index: Number(last.frame.stepIndex),
    state_hash: String(last.frame.stateHash),
  };
  console.log(JSON.stringify(told));
  channel.close();
  client.close();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
