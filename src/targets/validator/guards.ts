import type { Definition, Constraints, Schema } from "../../model/ir.js";
import { quote } from "../../render/typescript/code.js";
import { callOf, type Part } from "../../render/typescript/conditions.js";
import type { ValidatorContext } from "./validator-context.js";
import { judgePattern } from "./patterns.js";
import { scalarTest } from "./scalars.js";

/** Conditions under which a check function returns at once. */
export type Guard = readonly Part[];

/** Where a value stands in a check function. */
export interface Place {
  /** The expression of its key: `key`, or `undefined` for the whole value. */
  readonly key: string;
  /** The variable that holds it. */
  readonly value: string;
  /** Words for the names of helpers. */
  readonly words: string;
  /** In the document, for diagnostics. */
  readonly pointer: string;
}

/** A schema seen through the aliases that lead to it. */
interface Resolved {
  readonly schema: Schema;
  readonly isNullable: boolean;
  readonly constraints: readonly Constraints[];
}

/** Turns schemas into guards, and asks the context for what those call. */
export class GuardPrinter {
  /** Check functions for elements without a name; printed with the definition. */
  readonly elements: { name: string; guards: readonly Guard[] }[] = [];

  constructor(private readonly context: ValidatorContext) {}

  /** What has to be checked of a value at a place. */
  guards(
    schema: Schema,
    constraints: Constraints | undefined,
    place: Place,
  ): Guard[] {
    const resolved = this.#resolve(schema, constraints);
    const own = this.#kind(resolved, place);
    if (!resolved.isNullable) return own;
    const isNotNull = `${place.value} !== null`;
    return own.map((guard, index) =>
      index === 0 ? [isNotNull, ...guard] : guard,
    );
  }

  #resolve(schema: Schema, constraints: Constraints | undefined): Resolved {
    const found = [constraints, schema.constraints].filter(
      (entry) => entry !== undefined,
    );
    let isNullable = schema.nullable === true;
    let current = schema;
    for (;;) {
      const target = this.#definition(current);
      if (target?.body.kind === "enum" && target.nullable === true)
        isNullable = true;
      if (target?.body.kind !== "alias") break;
      const { schema: next } = target.body;
      if (next.kind === "list" || next.kind === "map") break;
      isNullable ||= next.nullable === true;
      if (next.constraints !== undefined) found.push(next.constraints);
      current = next;
    }
    return { schema: current, isNullable, constraints: found };
  }

  #definition(schema: Schema): Definition | undefined {
    return schema.kind === "ref"
      ? this.context.definitions.get(schema.id)
      : undefined;
  }

  #kind({ schema, constraints }: Resolved, place: Place): Guard[] {
    switch (schema.kind) {
      case "any":
        return [];
      case "scalar":
        return this.#scalar(schema, constraints, place);
      case "enum":
        return [this.#typeGuard("string", "string", place)];
      case "ref":
        return [this.#reference(schema.id, place)];
      case "list":
        return [this.#container("list", "scalars", schema.items, place)];
      case "map":
        return [this.#container("map", "scalarMap", schema.values, place)];
    }
  }

  #scalar(
    { type, format }: Extract<Schema, { kind: "scalar" }>,
    constraints: readonly Constraints[],
    place: Place,
  ): Guard[] {
    if (type === "null")
      return [[`${place.value} !== null`, this.#fail("null", place)]];
    const { test, expected, inline } = scalarTest(type, format);
    const own =
      inline === undefined
        ? [callOf(`!${this.context.use(test)}`, place.value)]
        : [`typeof ${place.value} !== ${quote(inline)}`];
    const isLong = expected === "int64" || expected === "uint64";
    const limits = constraints.flatMap((entry) => [
      ...this.#limit("minimum", entry.minimum, type, isLong, place),
      ...this.#limit("maximum", entry.maximum, type, isLong, place),
      ...this.#pattern(entry.pattern, type, place),
    ]);
    return [[...own, this.#fail(expected, place)], ...limits];
  }

  #limit(
    name: "minimum" | "maximum",
    limit: string | undefined,
    type: string,
    isLong: boolean,
    place: Place,
  ): Guard[] {
    if (limit === undefined) return [];
    const text = isLong
      ? longLiteral(limit)
      : type === "integer" || type === "number"
        ? numberLiteral(limit)
        : undefined;
    if (text === undefined) return [];
    return [[this.#call(this.context.use(name), place, text)]];
  }

  #pattern(source: string | undefined, type: string, place: Place): Guard[] {
    if (source === undefined || type !== "string") return [];
    const verdict = judgePattern(source);
    if (verdict === "unsafe")
      this.context.sink.report(
        "pattern-unenforced",
        `the pattern ${JSON.stringify(source)} is not checked`,
        `${place.pointer}/pattern`,
      );
    if (verdict !== "enforced") return [];
    const constant = this.context.pattern(source, place.words);
    return [[this.#call(this.context.use("pattern"), place, constant)]];
  }

  #reference(id: string, place: Place): Guard {
    const { body } = this.context.definitions.get(id)!;
    if (body.kind === "enum") {
      if (body.open === true) return this.#typeGuard("string", "string", place);
      const values = this.context.values(id);
      return [this.#call(this.context.use("oneOf"), place, values)];
    }
    const check = this.context.check(id);
    return place.key === "undefined"
      ? [callOf(check, place.value, "run")]
      : [this.#call(this.context.use("at"), place, check)];
  }

  /** A list or a map: of scalars, of anything, or of what has a check. */
  #container(
    name: "list" | "map",
    ofScalars: "scalars" | "scalarMap",
    of: Schema,
    place: Place,
  ): Guard {
    const { schema, isNullable, constraints } = this.#resolve(of, undefined);
    if (schema.kind === "any") return this.#anyContainer(name, place);
    const isPlain = !isNullable && constraints.length === 0;
    if (isPlain && schema.kind === "scalar" && schema.type !== "null") {
      const { test, expected } = scalarTest(schema.type, schema.format);
      const tests = [this.context.use(test), quote(expected)];
      return [this.#call(this.context.use(ofScalars), place, ...tests)];
    }
    const check = this.#elementCheck(of, schema, isPlain, place);
    return [this.#call(this.context.use(name), place, check)];
  }

  #anyContainer(name: "list" | "map", place: Place): Guard {
    return name === "list"
      ? [callOf("!Array.isArray", place.value), this.#fail("array", place)]
      : [
          callOf(`!${this.context.use("isObject")}`, place.value),
          this.#fail("object", place),
        ];
  }

  #elementCheck(
    of: Schema,
    resolved: Schema,
    isPlain: boolean,
    place: Place,
  ): string {
    if (resolved.kind === "ref" && isPlain)
      return this.context.check(resolved.id);
    const words = `${place.words}Item`;
    return this.check(of, {
      ...place,
      key: "undefined",
      value: "value",
      words,
    });
  }

  /** A check function of its own for a schema at a place. */
  check(schema: Schema, place: Place): string {
    const name = this.context.reserve("check", place.words);
    const guards = this.guards(schema, undefined, place);
    this.elements.push({ name, guards });
    return name;
  }

  #typeGuard(type: string, expected: string, place: Place): Guard {
    return [
      `typeof ${place.value} !== ${quote(type)}`,
      this.#fail(expected, place),
    ];
  }

  #fail(expected: string, place: Place): Part {
    return this.#call(this.context.use("fail"), place, quote(expected));
  }

  #call(name: string, place: Place, ...rest: readonly string[]): Part {
    return callOf(name, "run", place.key, place.value, ...rest);
  }
}

/** A limit as Prettier prints a number; undefined where it is none. */
function numberLiteral(text: string): string | undefined {
  const limit = Number(text);
  return text.trim() === "" || !Number.isFinite(limit)
    ? undefined
    : String(limit).replace("e+", "e");
}

function longLiteral(text: string): string | undefined {
  return /^-?\d{1,20}$/.test(text) ? quote(text) : undefined;
}
