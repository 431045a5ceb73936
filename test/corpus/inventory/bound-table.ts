import { bindTable } from "../../../src/runtime/client/bind-table.js";
import type { Source } from "./source.js";
import { callOf, entriesOf, pathOf, type Value } from "./values.js";

/** Descriptors by the path of their methods, in a form for comparison. */
export type BoundTable = ReadonlyMap<string, string>;

/** Binds the table of client.ts; functions of the runtime remain values. */
export function boundTable(
  [, prefix, table, parts]: readonly Value[],
  source: Source,
): BoundTable {
  const local = (value: Value | undefined): Value =>
    source.locals.get(pathOf(value).join("."))!.value;
  const list = parts === undefined ? [] : (local(parts) as readonly Value[]);
  const objects = list.map((part) => Object.fromEntries(entriesOf(part)));
  const bound = bindTable(
    {} as never,
    prefix as string,
    local(table) as string,
    objects as never,
  );
  const found = new Map<string, string>();
  const visit = (node: object, path: string): void => {
    for (const [name, member] of Object.entries(node)) {
      const key = path + name;
      if (typeof member === "function")
        found.set(key, comparable(member.descriptor, source));
      visit(member as object, `${key}.`);
    }
  };
  visit(bound as object, "");
  return found;
}

/** Returns the descriptor of a constant in the form of {@link boundTable}. */
export function flatDescriptor(value: Value, source: Source): string {
  const [descriptor] = callOf(value)?.args ?? [];
  return comparable(Object.fromEntries(entriesOf(descriptor)), source);
}

/** Prints a descriptor; names are those of the exports of the runtime. */
function comparable(
  descriptor: Readonly<Record<string, Value>>,
  source: Source,
): string {
  const entries = Object.entries({ verb: "GET", ...descriptor }).sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  return JSON.stringify(entries, (_, value: unknown) => {
    if (value instanceof Map) return [...(value as Map<string, unknown>)];
    const { kind, name, path } = Object(value) as Record<string, unknown>;
    const local = kind === "call" ? name : kind === "name" ? String(path) : "";
    const imported = source.imports.get(String(local));
    return imported === undefined
      ? value
      : [
          imported.name.replace("OnDemand", ""),
          (value as { args?: unknown }).args,
        ];
  });
}
