// read.mjs FILE: what the readers of the MCAP project and of protobuf-es see in a recording, as JSON. Everything is
// decoded by the schemas inside the file; nothing of ours is imported. Exit code 3: the file has no index (it was cut
// off), and what is told was read from front to back.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(join(process.env.TALUS_MCAP_PACKAGES, "package.json")));
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const fzstd = require("fzstd");
const { createFileRegistry, fromBinary, toJson } = require("@bufbuild/protobuf");
const { FileDescriptorSetSchema } = require("@bufbuild/protobuf/wkt");

const decompressHandlers = { zstd: (buffer, size) => fzstd.decompress(buffer, new Uint8Array(Number(size))) };
const bytes = readFileSync(process.argv[2]);

function decoderOf(schema) {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, schema.data));
  const message = registry.getMessage(schema.name);
  return (data) => toJson(message, fromBinary(message, data), { alwaysEmitImplicit: true });
}

function tell(told, message, topics) {
  const { topic, decode } = topics.get(message.channelId);
  (told.messages[topic] ??= []).push({
    logTime: String(message.logTime), sequence: message.sequence, value: decode(message.data),
  });
}

// By footer, summary, chunk indexes and message indexes; every CRC is checked.
async function readIndexed() {
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset, length) => bytes.subarray(Number(offset), Number(offset + length)),
    },
    decompressHandlers,
  });
  const topics = new Map();
  for (const [id, channel] of reader.channelsById) {
    topics.set(id, { topic: channel.topic, decode: decoderOf(reader.schemasById.get(channel.schemaId)) });
  }
  const told = { indexed: true, messages: {}, attachments: [], metadata: {} };
  told.library = reader.header.library;
  told.statistics = JSON.parse(JSON.stringify(reader.statistics, (_key, value) =>
    value instanceof Map ? Object.fromEntries([...value].map(([id, n]) => [topics.get(id).topic, Number(n)]))
      : typeof value === "bigint" ? String(value) : value));
  told.chunks = reader.chunkIndexes.map((chunk) => chunk.compression);
  told.schemas = Object.fromEntries([...reader.schemasById.values()].map((s) => [s.name, s.encoding]));
  for await (const message of reader.readMessages({ validateCrcs: true })) tell(told, message, topics);
  for await (const attachment of reader.readAttachments({ validateCrcs: true })) {
    told.attachments.push({ name: attachment.name, size: attachment.data.length });
  }
  for await (const metadata of reader.readMetadata()) {
    told.metadata[metadata.name] = Object.fromEntries(metadata.metadata);
  }
  return told;
}

function readStream() {
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  reader.append(bytes);
  const schemas = new Map();
  const topics = new Map();
  const told = { indexed: false, messages: {}, attachments: [], metadata: {} };
  for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
    if (record.type === "Schema") schemas.set(record.id, record);
    if (record.type === "Channel") {
      topics.set(record.id, { topic: record.topic, decode: decoderOf(schemas.get(record.schemaId)) });
    }
    if (record.type === "Message") tell(told, record, topics);
    if (record.type === "Attachment") told.attachments.push({ name: record.name, size: record.data.length });
    if (record.type === "Metadata") told.metadata[record.name] = Object.fromEntries(record.metadata);
  }
  return told;
}

let told;
try {
  told = await readIndexed();
  const streamed = readStream();
  if (JSON.stringify(streamed.attachments) !== JSON.stringify(told.attachments)) throw new Error("attachments differ");
  for (const topic of Object.keys(told.messages)) {
    if (streamed.messages[topic].length !== told.messages[topic].length) throw new Error(`${topic} differs`);
  }
} catch (error) {
  if (process.argv[3] !== "--cut-off") throw error;
  told = readStream();
}
process.stdout.write(JSON.stringify(told));
