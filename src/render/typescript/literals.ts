import { Code, literalKey, quote } from "./code.js";

/** A call with settings, if any: `paged({ items: "files" })`. */
export class Call {
  constructor(
    readonly name: string,
    readonly settings?: { readonly [key: string]: Data | undefined },
  ) {}
}

/** A value that generated code holds as data. */
export type Data =
  | string
  | number
  | boolean
  | Code
  | Call
  | readonly Data[]
  | { readonly [key: string]: Data | undefined };

const WIDTH = 80;

/** Behind a key this short a long string or name stays on the line (Prettier's rule). */
const SHORT_KEY = 4;

/** `key: value` of an object literal, laid out as Prettier does; no comma. */
export function property(key: string, value: Data, indent: number): string {
  const name = keyText(key);
  if (value instanceof Code && value.text === key) return key;
  const line = inline(value);
  const fits =
    line !== undefined && indent + name.length + 2 + line.length + 1 <= WIDTH;
  if (fits && !isObject(value)) return `${name}: ${line}`;
  const isWord = typeof value === "string" || value instanceof Code;
  if (isWord && name.length > SHORT_KEY)
    return `${name}:\n${" ".repeat(indent + 2)}${line}`;
  // Not even the brace fits behind the key.
  if (isObject(value) && indent + name.length + ": {".length > WIDTH) {
    const inner = layOut(value, indent + 2, indent + 2);
    if (inner !== "{}") return `${name}:\n${" ".repeat(indent + 2)}${inner}`;
  }
  return `${name}: ${layOut(value, indent, indent + name.length + 2)}`;
}

function keyText(key: string): string {
  return literalKey(key).text;
}

function isObject(
  value: Data,
): value is { readonly [key: string]: Data | undefined } {
  return (
    typeof value === "object" &&
    !Array.isArray(value) &&
    !(value instanceof Code) &&
    !(value instanceof Call)
  );
}

/** The value on one line; undefined for objects, which are spread but in calls. */
function inline(value: Data, inCall = false): string | undefined {
  if (typeof value === "string") return quote(value);
  if (value instanceof Code) return value.text;
  if (value instanceof Call) return inlineCall(value);
  if (Array.isArray(value)) {
    const items = (value as readonly Data[]).map((item) =>
      inline(item, inCall),
    );
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  if (isObject(value)) return inCall ? inlineObject(value) : undefined;
  return String(value);
}

function inlineCall({ name, settings }: Call): string {
  return `${name}(${settings === undefined ? "" : inlineObject(settings)})`;
}

function inlineObject(value: { readonly [key: string]: Data | undefined }) {
  const entries = Object.entries(value).flatMap(([key, entry]) =>
    entry === undefined ? [] : [`${keyText(key)}: ${inline(entry, true)}`],
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** The value, its inner lines indented; `used` columns stand before it. */
export function layOut(value: Data, indent: number, used: number): string {
  const line = inline(value);
  if (
    line !== undefined &&
    (used + line.length + 1 <= WIDTH ||
      !(Array.isArray(value) || value instanceof Call))
  )
    return line;
  if (value instanceof Call)
    return `${value.name}(${layOut(value.settings ?? {}, indent, 0)})`;
  const pad = " ".repeat(indent + 2);
  const end = `\n${" ".repeat(indent)}`;
  if (Array.isArray(value)) {
    if (value.length > 1 && value.every((item) => typeof item === "number"))
      return `[\n${pad}${fill(value, indent + 2)}${end}]`;
    const items = (value as readonly Data[]).map(
      (item) => `${pad}${layOut(item, indent + 2, indent + 2)},`,
    );
    return items.length === 0 ? "[]" : `[\n${items.join("\n")}${end}]`;
  }
  const entries = Object.entries(value as object).filter(
    ([, entry]) => entry !== undefined,
  ) as [string, Data][];
  if (entries.length === 0) return "{}";
  return `{\n${entries.map(([key, entry]) => `${pad}${property(key, entry, indent + 2)},`).join("\n")}${end}}`;
}

/** Numbers, as many on a line as it holds. */
function fill(numbers: readonly number[], indent: number): string {
  let text = "";
  let column = indent;
  for (const number of numbers) {
    const item = `${number},`;
    const fits = column + 1 + item.length <= WIDTH;
    if (text === "") text = item;
    else text += fits ? ` ${item}` : `\n${" ".repeat(indent)}${item}`;
    const start = text.lastIndexOf("\n") + 1;
    column = text.length - start + (start === 0 ? indent : 0);
  }
  return text;
}
