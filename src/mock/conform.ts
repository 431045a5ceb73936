import type { Definition, Field, Schema } from "../model/ir.js";
import { matchingOption, type Union } from "../model/unions.js";
import {
  isRequiredInResponse,
  type JsonObject,
  type ValueMaker,
} from "./values.js";

type Definitions = ReadonlyMap<string, Definition>;

/** Tests whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Converts request bodies to stored resources: removes undeclared members,
 * nulls and read-only members, and adds members that responses require.
 */
export class Conformer {
  constructor(
    readonly definitions: Definitions,
    readonly maker: ValueMaker,
  ) {}

  /** Copies a value and changes the copy to conform to the schema. */
  conform(schema: Schema, value: unknown, key: string): unknown {
    if (schema.kind === "list" && Array.isArray(value))
      return value.map((element, index) =>
        this.conform(schema.items, element, `${key}/${index}`),
      );
    if (schema.kind === "map" && isJsonObject(value))
      return this.#members(value, key, () => schema.values);
    return schema.kind === "ref"
      ? this.#reference(schema.id, value, key)
      : value;
  }

  #members(
    value: JsonObject,
    key: string,
    schemaOf: (name: string) => Schema,
  ): JsonObject {
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
    if (body?.kind === "union") return this.#union(body, value, key);
    if (!isJsonObject(value)) return value;
    if (body?.kind === "object")
      return body.fields.length === 0 && body.additional !== undefined
        ? this.#members(value, key, () => body.additional!)
        : this.#object(id, body.fields, value, key, body.additional);
    if (body?.kind !== "variant") return value;
    const option = body.options.find(
      (candidate) => candidate.value === value[body.discriminant],
    );
    const parts = [body.base, option?.id].filter(
      (candidate) => candidate !== undefined,
    );
    return Object.fromEntries([
      ...parts.flatMap((part) =>
        Object.entries(this.#reference(part, value, key) as JsonObject),
      ),
      [body.discriminant, value[body.discriminant]],
    ]);
  }

  /** Conforms a value to the alternative that it matches, if there is one. */
  #union(union: Union, value: unknown, key: string): unknown {
    const option = matchingOption(union, value, this.definitions);
    return option === undefined ? value : this.conform(option, value, key);
  }

  #object(
    id: string,
    fields: readonly Field[],
    value: JsonObject,
    key: string,
    additional: Schema | undefined,
  ): JsonObject {
    const entries = fields.flatMap((field): [string, unknown][] => {
      const { name, schema } = field;
      const submitted = Object.hasOwn(value, name) ? value[name] : undefined;
      const isWritable =
        submitted !== undefined && field.flags.readOnly === undefined;
      if (isWritable && (submitted !== null || schema.nullable === true))
        return [[name, this.conform(schema, submitted, `${key}/${name}`)]];
      if (!isRequiredInResponse(field)) return [];
      const context = { key, name, depth: 0, enclosing: [] };
      return [[name, this.maker.field(field, id, context)]];
    });
    const known = new Set(fields.map(({ name }) => name));
    const rest =
      additional === undefined
        ? []
        : Object.entries(value).filter(([name]) => !known.has(name));
    return Object.fromEntries([...entries, ...rest]);
  }
}
