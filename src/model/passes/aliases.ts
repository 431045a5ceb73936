import type { Sink } from "../../diagnostics/sink.js";
import type { Body, Definition, Draft } from "../ir.js";

type Definitions = ReadonlyMap<string, Draft<Definition>>;

/**
 * Breaks chains of pure references that lead back to themselves, since no type
 * can be an alias of itself: an alias becomes unknown, a variant loses the
 * option. Lists, maps and objects end a chain.
 */
export function breakAliasCycles(definitions: Definitions, sink: Sink): void {
  for (const definition of definitions.values()) {
    if (!leadsBack(definition, definition.body, definitions)) continue;
    sink.report(
      "ref-cycle",
      `schema ${definition.id} refers only to itself`,
      definition.pointer,
    );
    definition.body = withoutCycle(definition, definitions);
  }
}

function withoutCycle(definition: Definition, definitions: Definitions): Body {
  const { body } = definition;
  if (body.kind !== "variant")
    return { kind: "alias", schema: { kind: "any" } };
  const options = body.options.filter(
    (option) =>
      !leadsBack(definition, { ...body, options: [option] }, definitions),
  );
  return { ...body, options };
}

/** Whether a body, as that of the definition, comes back to the definition. */
function leadsBack(
  { id }: Definition,
  body: Body,
  definitions: Definitions,
): boolean {
  const seen = new Set<string>();
  const queue = targetsOf(body);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next === id) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    const definition = definitions.get(next);
    if (definition !== undefined) queue.push(...targetsOf(definition.body));
  }
  return false;
}

function targetsOf(body: Body): string[] {
  if (body.kind === "variant") return body.options.map(({ id }) => id);
  return body.kind === "alias" && body.schema.kind === "ref"
    ? [body.schema.id]
    : [];
}
