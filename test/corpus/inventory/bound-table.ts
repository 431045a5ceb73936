import type { Source } from "./source.js";
import { callOf, entriesOf, type Value } from "./values.js";

/** Descriptors by the path of their methods, in a form for comparison. */
export type BoundTable = ReadonlyMap<string, string>;

/**
 * Reads the tree of methods in client.ts as the runtime's `bind` does; functions
 * of the runtime remain values.
 */
export function boundTable(
  [, prefix, methods]: readonly Value[],
  source: Source,
): BoundTable {
  const found = new Map<string, string>();
  const visit = (tree: Value | undefined, path: string): void => {
    for (const [name, node] of entriesOf(tree)) {
      const key = path + name;
      if (!isList(node)) {
        visit(node, `${key}.`);
        continue;
      }
      const [httpMethod = "", template = "", ...parts] = node;
      const isObject = (part: Value): boolean => entriesOf(part).size > 0;
      const { members, ...properties } = Object.fromEntries(
        parts.filter(isObject).flatMap((part) => [...entriesOf(part)]),
      );
      const use = parts.filter((part) => !isObject(part));
      const descriptor = {
        id: `${String(prefix)}${key}`,
        httpMethod,
        path: template,
        ...properties,
        ...(use.length > 0 && { use }),
      };
      found.set(key, comparable(descriptor, source));
      visit(members, `${key}.`);
    }
  };
  visit(source.locals.get(callOf(methods)!.name)?.value, "");
  return found;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
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
  const entries = Object.entries({ httpMethod: "GET", ...descriptor }).sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  return JSON.stringify(entries, (_, value: unknown) => {
    if (value instanceof Map) return [...(value as Map<string, unknown>)];
    const { kind, name, path } = Object(value) as Record<string, unknown>;
    const local = kind === "call" ? name : kind === "name" ? String(path) : "";
    const imported = source.imports.get(String(local));
    return imported === undefined
      ? value
      : [imported.name, (value as { args?: unknown }).args];
  });
}
