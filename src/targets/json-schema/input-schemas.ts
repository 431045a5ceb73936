import { isAlwaysPresent, isBinding } from "../../model/infer/field-flags.js";
import type { Definition, Method } from "../../model/ir.js";
import {
  forEachRef,
  reachable,
  referrersOf,
  type Definitions,
} from "../../model/queries.js";

/**
 * Returns the ids of the definitions that need a separate schema for requests.
 * These are the definitions that requests use and that have a required
 * read-only property or refer to a definition with one. For all other
 * definitions, the `readOnly` keyword is sufficient.
 */
export function findInputSchemas(
  definitions: Definitions,
  methods: readonly Method[],
  trustProse: boolean,
): ReadonlySet<string> {
  const split = new Set<string>();
  for (const [id, definition] of definitions)
    if (requiresReadOnly(definition, trustProse)) split.add(id);
  if (split.size === 0) return split;
  const requested = new Set<string>();
  for (const { request } of methods)
    if (request !== undefined) forEachRef(request, (id) => requested.add(id));
  reachable(requested, definitions);
  const users = referrersOf(definitions.values());
  // The iteration also visits ids that are added to the set during the
  // iteration.
  for (const id of split)
    for (const user of users.get(id) ?? []) split.add(user);
  return new Set([...split].filter((id) => requested.has(id)));
}

function requiresReadOnly({ body }: Definition, trustProse: boolean): boolean {
  return (
    body.kind === "object" &&
    body.fields.some(
      ({ flags }) =>
        isBinding(flags.readOnly, trustProse) &&
        isAlwaysPresent(flags, trustProse),
    )
  );
}
