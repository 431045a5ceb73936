import type { Definition, Field, Schema } from "../model/ir.js";
import { isNeeded, type Members, type ValueMaker } from "./values.js";

type Definitions = ReadonlyMap<string, Definition>;

/** Whether a value is an object with members. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What a service keeps of a body: the members that its schema declares, without
 * nulls and without those that only the service sets; what an answer must have
 * is added.
 */
export class Conformer {
  constructor(
    readonly definitions: Definitions,
    readonly maker: ValueMaker,
  ) {}

  /** The value as an answer can show it. */
  conform(schema: Schema, value: unknown, key: string): unknown {
    if (schema.kind === "list" && Array.isArray(value))
      return value.map((one, index) =>
        this.conform(schema.items, one, `${key}/${index}`),
      );
    if (schema.kind === "map" && isMembers(value))
      return this.#members(value, key, () => schema.values);
    return schema.kind === "ref"
      ? this.#reference(schema.id, value, key)
      : value;
  }

  #members(
    value: Members,
    key: string,
    schemaOf: (name: string) => Schema,
  ): Members {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        this.conform(schemaOf(name), member, `${key}/${name}`),
      ]),
    );
  }

  #reference(id: string, value: unknown, key: string): unknown {
    const body = this.definitions.get(id)?.body;
    if (body?.kind === "alias") return this.conform(body.schema, value, key);
    if (!isMembers(value)) return value;
    if (body?.kind === "object")
      return body.fields.length === 0 && body.additional !== undefined
        ? this.#members(value, key, () => body.additional!)
        : this.#object(id, body.fields, value, key, body.additional);
    if (body?.kind !== "variant") return value;
    const option = body.options.find(
      (one) => one.value === value[body.discriminant],
    );
    const parts = [body.base, option?.id].filter((one) => one !== undefined);
    return Object.fromEntries([
      ...parts.flatMap((part) =>
        Object.entries(this.#reference(part, value, key) as Members),
      ),
      [body.discriminant, value[body.discriminant]],
    ]);
  }

  #object(
    id: string,
    fields: readonly Field[],
    value: Members,
    key: string,
    additional: Schema | undefined,
  ): Members {
    const entries = fields.flatMap((field): [string, unknown][] => {
      const { name, schema } = field;
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      const isKept = given !== undefined && field.flags.readOnly === undefined;
      if (isKept && (given !== null || schema.nullable === true))
        return [[name, this.conform(schema, given, `${key}/${name}`)]];
      if (!isNeeded(field)) return [];
      const place = { key, name, depth: 0, within: [] };
      return [[name, this.maker.field(field, id, place)]];
    });
    const known = new Set(fields.map(({ name }) => name));
    const rest =
      additional === undefined
        ? []
        : Object.entries(value).filter(([name]) => !known.has(name));
    return Object.fromEntries([...entries, ...rest]);
  }
}

/** What becomes of a value by a PATCH: objects are merged, null clears, the rest is replaced. */
export function patched(value: unknown, patch: unknown): unknown {
  if (!isMembers(value) || !isMembers(patch)) return patch;
  const members = new Map(Object.entries(value));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) members.delete(name);
    else members.set(name, patched(members.get(name), change));
  }
  return Object.fromEntries(members);
}

/** The part of a patch that a mask such as `name,labels.owner` names; what it names and lacks is cleared. */
export function masked(patch: Members, mask: string): Members {
  const parts = mask.split(",").map((path) => path.trim().split(".")[0]!);
  const names = parts.map(camel).filter((name) => name !== "");
  if (names.includes("*")) return patch;
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.hasOwn(patch, name) ? patch[name] : null,
    ]),
  );
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
