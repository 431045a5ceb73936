import type { Definition, Mutable, Method, Resource, Schema } from "../ir.js";
import { isBinding } from "./field-flags.js";

type Definitions = ReadonlyMap<string, Mutable<Definition>>;

/**
 * Marks the definitions that need a second shape for requests: those that a
 * request reaches, and that have a readOnly field or refer to one that has.
 */
export function splitByDirection(
  definitions: Definitions,
  root: Resource,
  trustProse: boolean,
): void {
  const queue: string[] = [];
  for (const [id, definition] of definitions) {
    if (hasReadOnly(definition, trustProse)) queue.push(id);
  }
  if (queue.length === 0) return;
  const requested = reachable(requestRoots(root), definitions);
  const users = usersOf(requested, definitions);
  const split = new Set(queue);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const user of users.get(id) ?? []) {
      if (split.has(user)) continue;
      split.add(user);
      queue.push(user);
    }
  }
  for (const id of split) {
    if (requested.has(id)) definitions.get(id)!.hasInputType = true;
  }
}

function hasReadOnly({ body }: Definition, trustProse: boolean): boolean {
  return (
    body.kind === "object" &&
    body.fields.some((field) => isBinding(field.flags.readOnly, trustProse))
  );
}

/** Who refers to a definition, among those that requests reach. */
function usersOf(
  requested: ReadonlySet<string>,
  definitions: Definitions,
): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const id of requested) {
    forEachReference(definitions.get(id), (target) => {
      const list = users.get(target);
      if (list === undefined) users.set(target, [id]);
      else list.push(id);
    });
  }
  return users;
}

function requestRoots(root: Resource): Set<string> {
  const roots = new Set<string>();
  for (const { request } of methodsOf(root)) {
    if (request !== undefined) forEachRef(request, (id) => roots.add(id));
  }
  return roots;
}

/** All that can be reached by references; the set that is given grows. */
export function reachable(
  seen: Set<string>,
  definitions: ReadonlyMap<string, Definition>,
): Set<string> {
  // A set also yields what is added while it is walked.
  for (const id of seen) {
    forEachReference(definitions.get(id), (target) => seen.add(target));
  }
  return seen;
}

/** All methods of a resource and of those below it. */
export function methodsOf(resource: Resource): readonly Method[] {
  return [
    ...resource.methods,
    ...resource.children.flatMap((child) => methodsOf(child)),
  ];
}

/** Visits the ids that a definition refers to, with repetitions. */
export function forEachReference(
  definition: Definition | undefined,
  visit: (id: string) => void,
): void {
  const body = definition?.body;
  if (body?.kind === "object") {
    for (const field of body.fields) forEachRef(field.schema, visit);
    if (body.additional !== undefined) forEachRef(body.additional, visit);
  } else if (body?.kind === "alias") {
    forEachRef(body.schema, visit);
  } else if (body?.kind === "variant") {
    for (const option of body.options) visit(option.id);
    if (body.base !== undefined) visit(body.base);
  }
}

/** Visits the ids that a schema refers to, with repetitions. */
export function forEachRef(schema: Schema, visit: (id: string) => void): void {
  if (schema.kind === "ref") visit(schema.id);
  else if (schema.kind === "list") forEachRef(schema.items, visit);
  else if (schema.kind === "map") forEachRef(schema.values, visit);
}
