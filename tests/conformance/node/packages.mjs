// What the runner takes from the build: the assembled client, protobuf-es beside it (it reads descriptors), and the
// descriptors of the published schema and of transcripts.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const BUILD = resolve(process.env.TALUS_BUILD_DIR ?? "build/release");
const packageJson = join(BUILD, "node/package.json");

if (!existsSync(join(BUILD, "node/dist/index.js"))) {
  console.log("the Node client is not built");
  process.exit(77);
}

const require = createRequire(pathToFileURL(packageJson));
export const talus = require("./dist/index.js");
export const { createFileRegistry, fromBinary, ScalarType } = require("@bufbuild/protobuf");
const { FileDescriptorSetSchema } = require("@bufbuild/protobuf/wkt");

function registryOf(path) {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(join(BUILD, path))));
}

export const SCHEMA = registryOf("gen/talus_v1.binpb");
export const TRANSCRIPT = registryOf("gen/transcript.binpb").getMessage("talus.conformance.v1.Transcript");

// The transcript asks for what does not exist, or the command line does.
export class UsageError extends Error {}
