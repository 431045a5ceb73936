import type { Definition, Method } from "../ir.js";
import {
  forEachRef,
  reachable,
  referrersOf,
  type Definitions,
} from "../queries.js";
import { isBinding } from "./field-flags.js";

/**
 * Returns the ids of the definitions that need a separate type for requests.
 * These are the definitions that requests use and that have a read-only field
 * or refer to a definition with a read-only field.
 */
export function findInputTypes(
  definitions: Definitions,
  methods: readonly Method[],
  trustProse: boolean,
): readonly string[] {
  const queue: string[] = [];
  for (const [id, definition] of definitions) {
    if (hasReadOnly(definition, trustProse)) queue.push(id);
  }
  if (queue.length === 0) return [];
  const requested = reachable(requestRoots(methods), definitions);
  const users = referrersOf(
    [...requested].flatMap((id) => definitions.get(id) ?? []),
  );
  const split = new Set(queue);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const user of users.get(id) ?? []) {
      if (split.has(user)) continue;
      split.add(user);
      queue.push(user);
    }
  }
  return [...split].filter((id) => requested.has(id));
}

function hasReadOnly({ body }: Definition, trustProse: boolean): boolean {
  return (
    body.kind === "object" &&
    body.fields.some((field) => isBinding(field.flags.readOnly, trustProse))
  );
}

function requestRoots(methods: readonly Method[]): Set<string> {
  const roots = new Set<string>();
  for (const { request } of methods) {
    if (request !== undefined) forEachRef(request, (id) => roots.add(id));
  }
  return roots;
}
