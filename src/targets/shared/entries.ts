import { Code } from "../../render/typescript/code.js";
import { property, type Data } from "../../render/typescript/literals.js";

/** Members of an object in generated code. Undefined members are omitted. */
export type Entries = { readonly [key: string]: Data | undefined };

/** Prints entries as the lines of an object literal. */
export function entryLines(entries: Entries, indent: number): Code[] {
  return Object.entries(entries).flatMap(([key, value]) =>
    value === undefined ? [] : [new Code(property(key, value, indent))],
  );
}

/** Converts a JSON value to data that can be printed as code. */
export function jsonData(value: unknown): Data {
  if (value === null || value === undefined) return new Code("null");
  if (Array.isArray(value)) return value.map(jsonData);
  if (typeof value !== "object") return value as Data;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, jsonData(member)]),
  );
}
