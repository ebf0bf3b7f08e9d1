// The example of clients/node/README.md runs and prints what it promises.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { findServer } from "talus";

test("the example of the README works", () => {
  const readme = readFileSync(join(process.env["TALUS_SOURCE_DIR"]!, "clients/node/README.md"), "utf8");
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme)!;
  // Inside the package, so that "talus" means the package.
  const path = join(__dirname, "readme_example.mjs");
  writeFileSync(path, example!);
  const output = execFileSync(process.execPath, [path], {
    encoding: "utf8",
    timeout: 120_000,
    env: { ...process.env, TALUS_SERVER: findServer() },
  });
  const lines = output.trim().split("\n");
  assert.match(lines[0]!, /^step 200: ball at \(-?\d[^)]*\), residual at most /);
  assert.match(lines.at(-2)!, /^watched step 200, [0-3] dropped$/);
  assert.match(lines.at(-1)!, /^INVALID_ARGUMENT bodies\[0\]\.\S+ /);
});
