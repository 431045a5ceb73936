import type { Definition, Draft, Method, Resource, Schema } from "../ir.js";
import { holds } from "./facts.js";

type Definitions = ReadonlyMap<string, Draft<Definition>>;

/**
 * Marks the definitions that need a second shape for requests: those that a
 * request reaches, and that have a readOnly field or refer to one that has.
 */
export function splitByDirection(
  definitions: Definitions,
  root: Resource,
  trustProse: boolean,
): void {
  const requested = reachable(requestRoots(root), definitions);
  const users = new Map<string, string[]>();
  const queue: string[] = [];
  for (const [id, definition] of definitions) {
    for (const target of referencesOf(definition)) {
      const list = users.get(target);
      if (list === undefined) users.set(target, [id]);
      else list.push(id);
    }
    if (hasReadOnly(definition, trustProse)) queue.push(id);
  }
  const split = new Set(queue);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const user of users.get(id) ?? []) {
      if (split.has(user)) continue;
      split.add(user);
      queue.push(user);
    }
  }
  for (const id of split)
    if (requested.has(id)) definitions.get(id)!.splits = true;
}

function hasReadOnly({ body }: Definition, trustProse: boolean): boolean {
  return (
    body.kind === "object" &&
    body.fields.some((field) => holds(field.facts.readOnly, trustProse))
  );
}

function requestRoots(root: Resource): string[] {
  return methodsOf(root).flatMap((method) =>
    method.request === undefined ? [] : refsIn(method.request),
  );
}

function reachable(
  roots: readonly string[],
  definitions: Definitions,
): Set<string> {
  const seen = new Set(roots);
  const queue = [...roots];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const definition = definitions.get(id);
    for (const target of definition === undefined
      ? []
      : referencesOf(definition)) {
      if (seen.has(target)) continue;
      seen.add(target);
      queue.push(target);
    }
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

/** Ids that a definition refers to, with repetitions. */
export function referencesOf({ body }: Definition): string[] {
  switch (body.kind) {
    case "object":
      return [
        ...body.fields.map((field) => field.schema),
        ...(body.additional === undefined ? [] : [body.additional]),
      ].flatMap(refsIn);
    case "alias":
      return refsIn(body.schema);
    case "variant":
      return body.options.map((option) => option.id);
    case "enum":
      return [];
  }
}

function refsIn(schema: Schema): string[] {
  if (schema.kind === "ref") return [schema.id];
  if (schema.kind === "list") return refsIn(schema.items);
  if (schema.kind === "map") return refsIn(schema.values);
  return [];
}
