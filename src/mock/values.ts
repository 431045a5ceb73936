// This file is longer than 250 lines because it is one recursive generator with
// a case for each kind of schema.

import type {
  Body,
  Definition,
  Field,
  Constraints,
  Schema,
} from "../model/ir.js";
import { Random } from "./random.js";
import { enumOf, listedOf, scalarOf, timeFor } from "./scalars.js";
import { valuesInProse } from "./states.js";

/** JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

type ObjectBody = Extract<Body, { kind: "object" }>;

/**
 * Data from which a value is generated, such as the field's name and nesting
 * depth.
 */
export interface ValueContext {
  /** Seed from which the value is generated. */
  readonly key: string;
  /** Name of the field or parameter to which the value belongs. */
  readonly name: string;
  /** Number of objects that contain the value. */
  readonly depth: number;
  /** Ids of the definitions that contain the value, outermost first. */
  readonly enclosing: readonly string[];
}

/**
 * Number of elements in a list. Lists at nesting depth `FULL_LIST_DEPTH` or
 * deeper have only one element.
 */
const ELEMENTS = 3;
const FULL_LIST_DEPTH = 3;

/** Nesting depth at and beyond which optional objects are omitted. */
const OPTIONAL_OBJECT_DEPTH = 5;

/** Number of values in a response after which optional fields are omitted. */
const OPTIONAL_VALUES = 2000;

/**
 * Maximum nesting depth. Ends the expansion of a schema that has a required
 * field of the same schema.
 */
const MAX_DEPTH = 40;

/**
 * Pattern that matches the names of fields for errors, deletion times, other pages,
 * and the encryption and encoding of content. These fields are omitted, because generated
 * data has neither errors nor further pages, and its content is plain.
 */
const OMITTED_FIELDS =
  /errors?$|^error|failure|^(delet|purg|expung|trash)\w*_?(time|timestamp|date)$|^(warnings?|unreachable|(next|prev(ious)?)_?(page|sync)_?token|next_?link|httpErrorMessage|httpErrorStatusCode|customerEncryption|kmsKeyName|crc32c|contentEncoding)$/i;

/**
 * Maximum number of top-level values that are kept. Generating a value of 500
 * members takes milliseconds, and clients usually read a list several times.
 */
const MAX_MADE = 100;

interface MadeValue {
  readonly schema: Schema;
  readonly name: string;
  readonly value: unknown;
}

/**
 * Generator of values that conform to schemas. The same seed produces the same
 * values.
 */
export class ValueMaker {
  readonly #definitions: ReadonlyMap<string, Definition>;
  /** The last top-level values, by their keys. */
  readonly #made = new Map<string, MadeValue>();
  #remaining = OPTIONAL_VALUES;

  constructor(definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
  }

  /**
   * Generates a top-level value: a response, a resource, or an element of a
   * list. Callers must not change the value, which later calls return again.
   */
  make(schema: Schema, key: string, name: string = ""): unknown {
    const known = this.#made.get(key);
    if (known?.schema === schema && known.name === name) return known.value;
    this.#remaining = OPTIONAL_VALUES;
    const value = this.value(schema, undefined, {
      key,
      name,
      depth: 0,
      enclosing: [],
    });
    if (this.#made.size >= MAX_MADE) this.#made.clear();
    this.#made.set(key, { schema, name, value });
    return value;
  }

  /** Generates the value at a position in the response. */
  value(
    schema: Schema,
    fieldConstraints: Constraints | undefined,
    context: ValueContext,
  ): unknown {
    this.#remaining--;
    const constraints = [fieldConstraints, schema.constraints].filter(
      (list) => list !== undefined,
    );
    const random = (): Random => new Random(context.key);
    switch (schema.kind) {
      case "any":
        return "any";
      case "scalar":
        return scalarOf(
          schema.type,
          schema.format,
          constraints,
          context.name,
          random(),
        );
      case "enum":
        return enumOf(schema.values, constraints, context.name, random());
      case "list":
        return this.#list(schema.items, context);
      case "map":
        return this.#map(schema.values, context);
      case "ref":
        return this.#reference(schema.id, constraints, context);
    }
  }

  #list(items: Schema, context: ValueContext): unknown[] {
    if (
      this.#isRecursive(items, context.enclosing) ||
      context.depth > MAX_DEPTH
    )
      return [];
    const length =
      context.depth < FULL_LIST_DEPTH && this.#remaining > 0 ? ELEMENTS : 1;
    return Array.from({ length }, (_, index) =>
      this.value(items, undefined, {
        ...context,
        key: `${context.key}/${index}`,
      }),
    );
  }

  #map(values: Schema, context: ValueContext): JsonObject {
    if (
      this.#isRecursive(values, context.enclosing) ||
      context.depth > MAX_DEPTH
    )
      return {};
    return Object.fromEntries(
      ["alpha", "beta"].map((name) => [
        name,
        this.value(values, undefined, {
          ...context,
          depth: context.depth + 1,
          key: `${context.key}/${name}`,
          name,
        }),
      ]),
    );
  }

  #reference(
    id: string,
    constraints: readonly Constraints[],
    context: ValueContext,
  ): unknown {
    const definition = this.#definitions.get(id);
    if (definition === undefined) return {};
    const { body } = definition;
    switch (body.kind) {
      case "enum":
        return enumOf(
          body.values,
          constraints,
          context.name,
          new Random(context.key),
        );
      case "alias":
        return this.value(
          {
            ...body.schema,
            constraints: mergeConstraints([
              ...constraints,
              body.schema.constraints,
            ]),
          },
          undefined,
          context,
        );
      case "object":
        return this.#object(id, body, context);
      case "variant":
        return this.#variant(id, body, context);
      case "union":
        return this.#union(id, body, context);
    }
  }

  #object(id: string, body: ObjectBody, context: ValueContext): JsonObject {
    const { fields, additional } = body;
    if (fields.length === 0 && additional !== undefined)
      return this.#map(additional, enter(context, id));
    if (context.depth > MAX_DEPTH) return {};
    const included = fields.filter((field) =>
      this.#isIncluded(field, id, context),
    );
    return Object.fromEntries(
      included.map((field) => [field.name, this.field(field, id, context)]),
    );
  }

  /**
   * Generates the value of a field.
   * @param id id of the definition of the object that contains the field
   */
  field(
    { name, schema, constraints, description }: Field,
    id: string,
    context: ValueContext,
  ): unknown {
    const key = `${context.key}/${name}`;
    const isText =
      schema.kind === "scalar" &&
      schema.type === "string" &&
      schema.format === undefined &&
      constraints.pattern === undefined &&
      constraints.default === undefined;
    const listed = isText ? valuesInProse(description) : [];
    if (listed.length > 0) return listedOf(listed, name, new Random(key));
    const described = isText ? describedText(description) : undefined;
    if (described === TIMESTAMP) return timeFor(name, new Random(key));
    if (described !== undefined) return described;
    return this.value(schema, constraints, {
      ...enter(context, id),
      key,
      name,
    });
  }

  #isIncluded(field: Field, id: string, context: ValueContext): boolean {
    const { flags, name, schema } = field;
    if (isRequiredInResponse(field)) return true;
    const isRequiredByMethod = flags.requiredBy !== undefined;
    if (
      isRequiredByMethod &&
      !this.#isRecursive(schema, [...context.enclosing, id])
    )
      return true;
    if (flags.deprecated !== undefined || OMITTED_FIELDS.test(name))
      return false;
    if (schema.kind === "ref" && this.#isStatus(schema.id)) return false;
    const isPlain = schema.kind === "scalar" || schema.kind === "enum";
    if (isPlain) return this.#remaining > 0 || context.depth < 2;
    if (this.#remaining <= 0 || context.depth >= OPTIONAL_OBJECT_DEPTH)
      return false;
    return !this.#isRecursive(schema, [...context.enclosing, id]);
  }

  /** Tests whether a definition is that of an error (`google.rpc.Status`). */
  #isStatus(id: string): boolean {
    const body = this.#definitions.get(id)?.body;
    const names = body?.kind === "object" ? body.fields.map((f) => f.name) : [];
    return names.sort().join() === "code,details,message";
  }

  #variant(
    id: string,
    body: Extract<Body, { kind: "variant" }>,
    context: ValueContext,
  ): JsonObject {
    const inner = enter(context, id);
    const base = this.#part(body.base, inner);
    if (body.options.length === 0) return base;
    const possible = body.options.filter(
      (option) => !context.enclosing.includes(option.id),
    );
    const option = new Random(context.key).pick(
      possible.length > 0 ? possible : body.options,
    );
    return Object.fromEntries([
      ...Object.entries(base),
      ...Object.entries(this.#part(option.id, inner)),
      [body.discriminant, option.value],
    ]);
  }

  /** Generates a value of one alternative, if possible not a recursive one. */
  #union(
    id: string,
    { options }: Extract<Body, { kind: "union" }>,
    context: ValueContext,
  ): unknown {
    const enclosing = [...context.enclosing, id];
    const possible = options.filter(
      (option) => !this.#isRecursive(option, enclosing),
    );
    const option = new Random(context.key).pick(
      possible.length > 0 ? possible : options,
    );
    return this.value(option, undefined, enter(context, id));
  }

  #part(id: string | undefined, context: ValueContext): JsonObject {
    if (id === undefined || context.depth > MAX_DEPTH) return {};
    return this.#reference(id, [], context) as JsonObject;
  }

  /** Tests whether a schema refers to one of the enclosing definitions. */
  #isRecursive(schema: Schema, enclosing: readonly string[]): boolean {
    switch (schema.kind) {
      case "list":
        return this.#isRecursive(schema.items, enclosing);
      case "map":
        return this.#isRecursive(schema.values, enclosing);
      case "ref": {
        if (enclosing.includes(schema.id)) return true;
        const body = this.#definitions.get(schema.id)?.body;
        return (
          body?.kind === "alias" &&
          this.#isRecursive(body.schema, [...enclosing, schema.id])
        );
      }
      default:
        return false;
    }
  }
}

/**
 * Tests whether a response must contain the field, according to a flag of the
 * field or to phrases in its description.
 */
export function isRequiredInResponse({ flags }: Field): boolean {
  return flags.required !== undefined || flags.present !== undefined;
}

/** Result of {@link describedText} for a text that contains a timestamp. */
const TIMESTAMP = Symbol("timestamp");

/**
 * Returns the text that a description determines: `Always blogger#post`, or a
 * timestamp of RFC 3339; undefined for other descriptions.
 */
function describedText(
  description: string = "",
): string | typeof TIMESTAMP | undefined {
  const fixed = /\balways:?(?: \w+){0,3} [`"'*]*([a-z][\w.]*#[\w.]+)/i.exec(
    description,
  );
  if (fixed !== null) return fixed[1]!.replace(/\.$/, "");
  return /\bRFC ?3339\b/i.test(description) &&
    !/\bduration\b/i.test(description)
    ? TIMESTAMP
    : undefined;
}

function enter(context: ValueContext, id: string): ValueContext {
  return {
    ...context,
    depth: context.depth + 1,
    enclosing: [...context.enclosing, id],
  };
}

function mergeConstraints(
  constraintsList: readonly (Constraints | undefined)[],
): Constraints {
  return Object.assign(
    {},
    ...constraintsList.filter((constraints) => constraints !== undefined),
  ) as Constraints;
}
