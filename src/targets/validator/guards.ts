import type {
  Constraints,
  Definition,
  ScalarType,
  Schema,
} from "../../model/ir.js";
import { pascalCase } from "../../model/names.js";
import { quote } from "../../render/typescript/code.js";
import { callOf, type Layout } from "../../render/typescript/layout.js";
import { judgePattern } from "./patterns.js";
import type { ElementCheck, ValidatorContext } from "./validator-context.js";

/** Conditions of an `if` statement that returns early from a check function. */
export type Guard = readonly Layout[];

/**
 * Value that a check function checks, with the variables that refer to the
 * value.
 */
export interface ValuePosition {
  /**
   * Expression for the key of the value: `key` in a loop over properties, or
   * `undefined` for the value that is passed to the function.
   */
  readonly key: string;
  /** Name of the variable that contains the value. */
  readonly value: string;
  /**
   * Words from which the names of functions and constants for this value are
   * formed.
   */
  readonly words: string;
  /** JSON pointer to the schema in the document, for diagnostics. */
  readonly pointer: string;
}

/** Schema at the end of an alias chain, with the constraints of all aliases. */
interface Resolved {
  readonly schema: Schema;
  readonly isNullable: boolean;
  readonly constraints: readonly Constraints[];
}

/**
 * Converts schemas to guards. The context records the check functions that the
 * guards call.
 */
export class GuardPrinter {
  /**
   * Check functions for elements whose schema has no name. They are printed
   * after the function for the definition.
   */
  readonly elements: ElementCheck[] = [];

  constructor(private readonly context: ValidatorContext) {}

  /** Returns the guards that check a value. */
  guards(
    schema: Schema,
    constraints: Constraints | undefined,
    position: ValuePosition,
  ): Guard[] {
    const resolved = this.#resolve(schema, constraints);
    const guards = this.#kind(resolved, position);
    if (!resolved.isNullable) return guards;
    const isNotNull = `${position.value} !== null`;
    return guards.map((guard, index) =>
      index === 0 ? [isNotNull, ...guard] : guard,
    );
  }

  #resolve(schema: Schema, constraints: Constraints | undefined): Resolved {
    const all = [constraints, schema.constraints].filter(
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
      if (next.constraints !== undefined) all.push(next.constraints);
      current = next;
    }
    return { schema: current, isNullable, constraints: all };
  }

  #definition(schema: Schema): Definition | undefined {
    return schema.kind === "ref"
      ? this.context.definitions.get(schema.id)
      : undefined;
  }

  #kind({ schema, constraints }: Resolved, position: ValuePosition): Guard[] {
    switch (schema.kind) {
      case "any":
        return [];
      case "scalar":
        return this.#scalar(schema, constraints, position);
      case "enum":
        return [this.#typeGuard("string", "string", position)];
      case "ref":
        return [this.#reference(schema.id, position)];
      case "list":
        return [this.#container("list", "scalars", schema.items, position)];
      case "map":
        return [this.#container("map", "scalarMap", schema.values, position)];
    }
  }

  #scalar(
    { type, format }: Extract<Schema, { kind: "scalar" }>,
    constraints: readonly Constraints[],
    position: ValuePosition,
  ): Guard[] {
    if (type === "null")
      return [[`${position.value} !== null`, this.#fail("null", position)]];
    const { test, expected, inline } = scalarTest(type, format);
    const tests =
      inline === undefined
        ? [callOf(`!${this.context.use(test)}`, position.value)]
        : [`typeof ${position.value} !== ${quote(inline)}`];
    const isLong = expected === "int64" || expected === "uint64";
    const limits = constraints.flatMap((entry) => [
      ...this.#limit("minimum", entry.minimum, type, isLong, position),
      ...this.#limit("maximum", entry.maximum, type, isLong, position),
      ...this.#pattern(entry.pattern, type, position),
    ]);
    return [[...tests, this.#fail(expected, position)], ...limits];
  }

  #limit(
    name: "minimum" | "maximum",
    limit: string | undefined,
    type: string,
    isLong: boolean,
    position: ValuePosition,
  ): Guard[] {
    if (limit === undefined) return [];
    const text = isLong
      ? longLiteral(limit)
      : type === "integer" || type === "number"
        ? numberLiteral(limit)
        : undefined;
    if (text === undefined) return [];
    return [[this.#call(this.context.use(name), position, text)]];
  }

  #pattern(
    source: string | undefined,
    type: string,
    position: ValuePosition,
  ): Guard[] {
    if (source === undefined || type !== "string") return [];
    const verdict = judgePattern(source);
    if (verdict === "unsafe")
      this.context.sink.report(
        "pattern-unenforced",
        `validators can't check the pattern ${JSON.stringify(source)} in bounded time`,
        `${position.pointer}/pattern`,
      );
    if (verdict !== "enforced") return [];
    const constant = this.context.pattern(source, position.words);
    return [[this.#call(this.context.use("pattern"), position, constant)]];
  }

  #reference(id: string, position: ValuePosition): Guard {
    const { body } = this.context.definitions.get(id)!;
    if (body.kind === "enum") {
      if (body.open === true)
        return this.#typeGuard("string", "string", position);
      const values = this.context.values(id);
      return [this.#call(this.context.use("oneOf"), position, values)];
    }
    const check = this.context.check(id);
    return position.key === "undefined"
      ? [callOf(check, position.value, "run")]
      : [this.#call(this.context.use("at"), position, check)];
  }

  /**
   * Returns the guard for a list or map. The elements of the list or map can be
   * of any type, scalars, or values with a separate check function.
   */
  #container(
    name: "list" | "map",
    ofScalars: "scalars" | "scalarMap",
    of: Schema,
    position: ValuePosition,
  ): Guard {
    const { schema, isNullable, constraints } = this.#resolve(of, undefined);
    if (schema.kind === "any") return this.#anyContainer(name, position);
    const isPlain = !isNullable && constraints.length === 0;
    if (isPlain && schema.kind === "scalar" && schema.type !== "null") {
      const { test, expected } = scalarTest(schema.type, schema.format);
      const tests = [this.context.use(test), quote(expected)];
      return [this.#call(this.context.use(ofScalars), position, ...tests)];
    }
    const words = `${position.words}Item`;
    const check = this.valueCheck(of, { ...position, words });
    return [this.#call(this.context.use(name), position, check)];
  }

  #anyContainer(name: "list" | "map", position: ValuePosition): Guard {
    return name === "list"
      ? [
          callOf("!Array.isArray", position.value),
          this.#fail("array", position),
        ]
      : [
          callOf(`!${this.context.use("isObject")}`, position.value),
          this.#fail("object", position),
        ];
  }

  /**
   * Returns the name of the function that checks an element of a list or map,
   * or an alternative of a union.
   */
  valueCheck(of: Schema, { pointer, words }: ValuePosition): string {
    const { schema, isNullable, constraints } = this.#resolve(of, undefined);
    if (schema.kind === "any") return this.context.use("anything");
    const isPlain = !isNullable && constraints.length === 0;
    if (schema.kind === "ref" && isPlain) return this.context.check(schema.id);
    return this.check(of, { key: "undefined", value: "value", words, pointer });
  }

  /**
   * Adds a check function for a schema without a name. Returns the name of the
   * function. Equal schemas share a function, which is called after their type.
   */
  check(schema: Schema, position: ValuePosition): string {
    const { elements } = this.context;
    const words = this.#typeWords(schema);
    if (words === undefined || this.context.isCheckName(words)) {
      const name = this.context.reserve("check", position.words);
      const guards = this.guards(schema, undefined, position);
      this.elements.push({ name, guards });
      return name;
    }
    let element = elements.get(words);
    if (element === undefined) {
      const name = this.context.reserve("check", words);
      const guards = this.guards(schema, undefined, { ...position, words });
      elements.set(words, (element = { name, guards }));
    }
    return element.name;
  }

  /**
   * Returns words that describe a schema completely, such as `StringList`;
   * undefined if the schema has constraints or lists values.
   */
  #typeWords(schema: Schema): string | undefined {
    const { kind, nullable, constraints } = schema;
    if (constraints !== undefined && Object.keys(constraints).length > 0)
      return undefined;
    const prefix = nullable === true ? "Nullable" : "";
    const of = (element: Schema, suffix: string): string | undefined => {
      const words = this.#typeWords(element);
      return words === undefined ? undefined : `${prefix}${words}${suffix}`;
    };
    switch (kind) {
      case "any":
        return "Any";
      case "scalar":
        return prefix + pascalCase(scalarWords(schema.type, schema.format));
      case "ref":
        return prefix + this.context.words(schema.id);
      case "list":
        return of(schema.items, "List");
      case "map":
        return of(schema.values, "Map");
      case "enum":
        return undefined;
    }
  }

  #typeGuard(type: string, expected: string, position: ValuePosition): Guard {
    return [
      `typeof ${position.value} !== ${quote(type)}`,
      this.#fail(expected, position),
    ];
  }

  #fail(expected: string, position: ValuePosition): Layout {
    return this.#call(this.context.use("fail"), position, quote(expected));
  }

  #call(
    name: string,
    position: ValuePosition,
    ...rest: readonly string[]
  ): Layout {
    return callOf(name, "run", position.key, position.value, ...rest);
  }
}

/** Returns the name of a scalar type, such as `int64`, for use in names. */
function scalarWords(type: ScalarType, format: string | undefined): string {
  return type === "null" ? type : scalarTest(type, format).expected;
}

/**
 * Formats a limit as a number literal in Prettier's format. Returns undefined
 * if the limit is not a number.
 */
function numberLiteral(text: string): string | undefined {
  const limit = Number(text);
  return text.trim() === "" || !Number.isFinite(limit)
    ? undefined
    : String(limit).replace("e+", "e");
}

function longLiteral(text: string): string | undefined {
  return /^-?\d{1,20}$/.test(text) ? quote(text) : undefined;
}

/**
 * Test for a scalar type: the name of a runtime function, and the name of the
 * type for error messages.
 */
interface ScalarTest {
  readonly test: string;
  readonly expected: string;
  /**
   * Result of `typeof` for valid values; present if a `typeof` test is
   * sufficient and no function call is needed.
   */
  readonly inline?: string;
}

const TEXTS: Readonly<Record<string, ScalarTest>> = {
  int64: { test: "isInt64", expected: "int64" },
  uint64: { test: "isUint64", expected: "uint64" },
  byte: { test: "isBytes", expected: "byte" },
  date: { test: "isDate", expected: "date" },
  "date-time": { test: "isTimestamp", expected: "date-time" },
  "google-datetime": { test: "isTimestamp", expected: "date-time" },
  "google-duration": { test: "isDuration", expected: "google-duration" },
  "google-fieldmask": { test: "isFieldMask", expected: "google-fieldmask" },
};

const INTEGERS: Readonly<Record<string, ScalarTest>> = {
  int32: { test: "isInt32", expected: "int32" },
  uint32: { test: "isUint32", expected: "uint32" },
};

const TYPES: Readonly<Record<Exclude<ScalarType, "null">, ScalarTest>> = {
  string: { test: "isString", expected: "string", inline: "string" },
  boolean: { test: "isBoolean", expected: "boolean", inline: "boolean" },
  integer: { test: "isInteger", expected: "integer" },
  number: { test: "isNumber", expected: "number" },
};

const DOUBLE: ScalarTest = { test: "isDouble", expected: "double" };

/** Returns the test for a type and format. Ignores unknown formats. */
function scalarTest(
  type: Exclude<ScalarType, "null">,
  format: string | undefined,
): ScalarTest {
  if (type === "string") return lookUp(TEXTS, format) ?? TYPES.string;
  if (type === "integer") return lookUp(INTEGERS, format) ?? TYPES.integer;
  if (type === "number" && (format === "double" || format === "float"))
    return DOUBLE;
  return TYPES[type];
}

function lookUp(
  tests: Readonly<Record<string, ScalarTest>>,
  format: string | undefined,
): ScalarTest | undefined {
  return format !== undefined && Object.hasOwn(tests, format)
    ? tests[format]
    : undefined;
}
