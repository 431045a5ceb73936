import type { Sink } from "../../diagnostics/sink.js";
import type { Definition, Draft } from "../ir.js";

/** Breaks chains of pure references that lead back to themselves. */
export function breakAliasCycles(
  definitions: ReadonlyMap<string, Draft<Definition>>,
  sink: Sink,
): void {
  for (const definition of definitions.values()) {
    if (!leadsBack(definition, definitions)) continue;
    sink.report(
      "ref-cycle",
      `schema ${definition.id} refers only to itself`,
      definition.pointer,
    );
    definition.body = { kind: "alias", schema: { kind: "any" } };
  }
}

function leadsBack(
  start: Definition,
  definitions: ReadonlyMap<string, Definition>,
): boolean {
  const seen = new Set<string>([start.id]);
  let next = targetOf(start);
  while (next !== undefined) {
    if (next === start.id) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    const definition = definitions.get(next);
    next = definition === undefined ? undefined : targetOf(definition);
  }
  return false;
}

/** Lists and variants don't defer in type aliases either where they are bare. */
function targetOf({ body }: Definition): string | undefined {
  return body.kind === "alias" && body.schema.kind === "ref"
    ? body.schema.id
    : undefined;
}
