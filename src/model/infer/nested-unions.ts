import type { Sink } from "../../diagnostics/sink.js";
import type { Definition, Mutable, Schema } from "../ir.js";
import { type Definitions, resolveAlias } from "../queries.js";

/**
 * Reports unions (`x-one-of`) with an alternative that refers to a union, which
 * can be the union itself. These unions become `any`. Aliases must not be
 * circular.
 */
export function rejectNestedUnions(
  definitions: ReadonlyMap<string, Mutable<Definition>>,
  sink: Sink,
): void {
  const rejected: Mutable<Definition>[] = [];
  for (const definition of definitions.values()) {
    const { body, pointer } = definition;
    if (body.kind !== "union") continue;
    const index = body.options.findIndex((option) =>
      isUnion(option, definitions),
    );
    if (index === -1) continue;
    sink.report(
      "extension-invalid",
      "an alternative of x-one-of must not refer to a schema with x-one-of; list its alternatives directly",
      `${pointer}/x-one-of/${index}`,
    );
    rejected.push(definition);
  }
  for (const definition of rejected) {
    definition.body = { kind: "alias", schema: { kind: "any" } };
    delete definition.nullable;
  }
}

function isUnion(schema: Schema, definitions: Definitions): boolean {
  const target = resolveAlias(schema, definitions);
  return (
    target.kind === "ref" && definitions.get(target.id)?.body.kind === "union"
  );
}
