// Paths into the client's messages, as transcripts write them: `frame.bodies.positions_world_m[2]`. The published
// schema says what a field is; the client's objects say what it holds (camelCase names, oneofs as { $case, value },
// columns as bytes, 64-bit integers as bigint, enumerators as numbers).
import { ScalarType, talus, UsageError } from "./packages.mjs";

export const ABSENT = Symbol("absent");
const TOKEN = /\[(\d+|\*)\]\.?|([a-z][a-z0-9_]*)\.?/y;

function parse(path) {
  const steps = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < path.length) {
    const match = TOKEN.exec(path);
    if (match === null) throw new UsageError(`'${path}' is no path`);
    steps.push(match[2] ?? (match[1] === "*" ? "*" : Number(match[1])));
  }
  return steps;
}

function fieldOf(message, name, path) {
  const field = message?.fields.find((one) => one.name === name);
  if (field === undefined) throw new UsageError(`'${path}' names no field at '${name}'`);
  return field;
}

// The field's value, undefined when it is unset and has presence.
function read(object, field) {
  if (field.oneof !== undefined) {
    const set = object[field.oneof.localName];
    return set?.$case === field.jsonName ? set.value : undefined;
  }
  const value = object[field.jsonName];
  if (!isColumn(field)) return value;
  if (field.scalar === ScalarType.FLOAT) return talus.widenedColumn(value);
  if (field.scalar === ScalarType.FIXED64) return talus.uint64Column(value);
  return field.scalar === ScalarType.DOUBLE ? talus.float64Column(value) : talus.uint32Column(value);
}

function isColumn(field) {
  return field.parent.name.endsWith("Columns") && field.fieldKind === "list";
}

// How a value of this field, or of its elements, is printed and compared.
function kindOf(field) {
  if (field === undefined || field.message !== undefined) return undefined;
  if (field.enum !== undefined) return "ENUMERATOR";
  switch (field.scalar) {
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return "NUMBER";
    case ScalarType.STRING:
      return "TEXT";
    case ScalarType.BOOL:
      return "BOOLEAN";
    case ScalarType.BYTES:
      return "BYTES";
    default:
      return "INTEGER";
  }
}

// `root` is { message, object } or { message, list }. Gives { kind, value }; the kind of what is no value (a message, a
// list) is undefined. An absent value is ABSENT; below it the path must still name fields.
export function find(root, path) {
  const steps = parse(path);
  if (steps[0] === "*") {
    const found = root.list.map((object) => find({ message: root.message, object }, steps.slice(1).join(".")));
    return { kind: "BYTES", value: Buffer.concat(found.map(({ value }) => value)) };
  }
  let { message } = root;
  let value = root.list ?? root.object;
  let field;
  for (const step of steps) {
    if (typeof step === "string") {
      field = fieldOf(message, step, path);
      message = field.message;
      value = value === ABSENT ? ABSENT : (read(value, field) ?? ABSENT);
    } else if (value !== ABSENT) {
      if (!Array.isArray(value) && !ArrayBuffer.isView(value)) throw new UsageError(`'${path}': no list`);
      value = value[step] ?? ABSENT;
    }
  }
  if (field?.enum !== undefined && typeof value === "number") value = enumeratorName(field.enum, value);
  const isList = typeof steps.at(-1) === "string" && field?.fieldKind === "list";
  return { kind: isList ? undefined : kindOf(field), value };
}

// Its name, or its number in decimal when the schema has no name for it.
export function enumeratorName(description, number) {
  return description.values.find((one) => one.number === number)?.name ?? String(number);
}

// Elements of a list or column, bytes of a bytes field; ABSENT when it is.
export function sizeAt(root, path) {
  const { value } = path === "" ? { value: root.list } : find(root, path);
  if (value === ABSENT) return ABSENT;
  if (value?.length === undefined) throw new UsageError(`'${path}' has no size`);
  return value.length;
}

// Overwrites the field at the path of a request, making messages on the way; an index one past the end appends.
export function assign(message, object, path, value) {
  const steps = parse(path);
  let field;
  for (const [position, step] of steps.entries()) {
    const last = position === steps.length - 1;
    if (typeof step === "number") {
      if (last) object[step] = value;
      else object = object[step] ??= emptyMessage(field.message);
      continue;
    }
    field = fieldOf(message, step, path);
    message = field.message;
    if (last) write(object, field, value);
    else object = descend(object, field);
  }
}

function write(object, field, value) {
  if (field.oneof === undefined) object[field.jsonName] = value;
  else object[field.oneof.localName] = { $case: field.jsonName, value };
}

function descend(object, field) {
  if (read(object, field) === undefined) write(object, field, emptyMessage(field.message));
  return read(object, field);
}

function emptyMessage(message) {
  return talus.v1[message.name].fromPartial({});
}
