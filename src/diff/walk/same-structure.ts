import type { Body, Schema } from "../../model/ir.js";
import { resolveAlias, type Definitions } from "../../model/queries.js";

/** Definitions of both documents of a comparison. */
interface BothDefinitions {
  readonly old: Definitions;
  readonly new: Definitions;
}

/**
 * Tests whether two schemas, or two missing schemas, have the same id or the
 * same structure: names and types of properties, values of enums, elements of
 * lists, alternatives of unions in their order. Descriptions, limits and flags
 * do not count.
 */
export function hasSameStructure(
  old: Schema | undefined,
  now: Schema | undefined,
  definitions: BothDefinitions,
): boolean {
  if (old === undefined || now === undefined) return old === now;
  return new StructureComparison(definitions).isSame(old, now);
}

class StructureComparison {
  /** Pairs of ids that are equal, or whose comparison is not complete. */
  readonly #visited = new Set<string>();

  constructor(readonly definitions: BothDefinitions) {}

  isSame(old: Schema, now: Schema): boolean {
    const a = resolveAlias(old, this.definitions.old);
    const b = resolveAlias(now, this.definitions.new);
    switch (a.kind) {
      case "scalar":
        return (
          b.kind === "scalar" && a.type === b.type && a.format === b.format
        );
      case "enum":
        return b.kind === "enum" && valuesOf(a) === valuesOf(b);
      case "list":
        return b.kind === "list" && this.isSame(a.items, b.items);
      case "map":
        return b.kind === "map" && this.isSame(a.values, b.values);
      case "ref":
        return b.kind === "ref" && this.#isSameDefinition(a.id, b.id);
      default:
        return a.kind === b.kind;
    }
  }

  #isSameDefinition(old: string, now: string): boolean {
    const key = JSON.stringify([old, now]);
    if (old === now || this.#visited.has(key)) return true;
    this.#visited.add(key);
    const before = this.definitions.old.get(old)?.body;
    const after = this.definitions.new.get(now)?.body;
    return (
      before !== undefined &&
      after !== undefined &&
      this.#isSameBody(before, after)
    );
  }

  #isSameBody(old: Body, now: Body): boolean {
    if (old.kind === "object" && now.kind === "object") {
      const fields = new Map(now.fields.map((field) => [field.name, field]));
      return (
        old.fields.length === now.fields.length &&
        this.#areSame(old.additional, now.additional) &&
        old.fields.every(({ name, schema }) =>
          this.#areSame(schema, fields.get(name)?.schema),
        )
      );
    }
    if (old.kind === "variant" && now.kind === "variant")
      return (
        old.discriminant === now.discriminant &&
        old.options.length === now.options.length &&
        old.options.every(({ value, id }) => {
          const option = now.options.find((one) => one.value === value);
          return option !== undefined && this.#isSameDefinition(id, option.id);
        })
      );
    if (old.kind === "union" && now.kind === "union")
      return (
        old.options.length === now.options.length &&
        old.options.every((option, index) =>
          this.isSame(option, now.options[index]!),
        )
      );
    return (
      old.kind === "enum" &&
      now.kind === "enum" &&
      valuesOf(old) === valuesOf(now)
    );
  }

  #areSame(old: Schema | undefined, now: Schema | undefined): boolean {
    if (old === undefined || now === undefined) return old === now;
    return this.isSame(old, now);
  }
}

function valuesOf({
  values,
}: {
  readonly values: readonly { readonly value: string }[];
}): string {
  return JSON.stringify(values.map(({ value }) => value).sort());
}
