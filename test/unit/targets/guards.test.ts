import { describe, expect, test } from "vitest";
import { Engine } from "../../../src/render/engine.js";
import { Sink } from "../../../src/diagnostics/sink.js";
import { returnIf } from "../../../src/render/typescript/conditions.js";
import { GuardPrinter } from "../../../src/targets/validator/guards.js";
import { ValidatorContext } from "../../../src/targets/validator/validator-context.js";
import { contextWith } from "./support.js";

type Json = Readonly<Record<string, unknown>>;

/** Schemas to which the field under test can refer. */
const OTHERS = {
  Item: { type: "object", properties: { name: { type: "string" } } },
  Color: { type: "string", enum: ["RED"] },
  Open: { type: "string", enum: ["RED"], "x-open-enum": true },
  Alias: { $ref: "Item" },
  Anything: { type: "any" },
};

/** Prints the guards of a field with a schema. */
function guardsOf(raw: Json): {
  readonly lines: string[];
  readonly elements: string[];
  readonly messages: string[];
} {
  const Box = { type: "object", properties: { field: raw } };
  const base = contextWith({ schemas: { ...OTHERS, Box } });
  const sink = new Sink();
  const context = new ValidatorContext({ ...base, engine: new Engine(), sink });
  const printer = new GuardPrinter(context);
  const { body } = base.definitions.get("Box")!;
  const [field] = body.kind === "object" ? body.fields : [];
  const guards = printer.guards(field!.schema, field!.constraints, {
    key: "key",
    value: "x",
    words: "BoxField",
    pointer: "/schemas/Box/properties/field",
  });
  return {
    lines: guards.map((guard) => returnIf(guard, 0).replace(/\s+/g, " ")),
    elements: [...context.elements.values(), ...printer.elements].map(
      ({ name }) => name,
    ),
    messages: sink.diagnostics.map(({ code }) => code),
  };
}

const FAIL = (expected: string): string =>
  `fail(run, key, x, ${JSON.stringify(expected)})`;

describe("guards of a field", () => {
  test.each<[string, Json, string[]]>([
    ["any", { type: "any" }, []],
    [
      "a string",
      { type: "string" },
      [`if (typeof x !== "string" && ${FAIL("string")}) return true;`],
    ],
    [
      "an integer with limits",
      { type: "integer", minimum: "1", maximum: "1e3" },
      [
        `if (!isInteger(x) && ${FAIL("integer")}) return true;`,
        "if (minimum(run, key, x, 1)) return true;",
        "if (maximum(run, key, x, 1000)) return true;",
      ],
    ],
    [
      "64 bits with a limit",
      { type: "string", format: "int64", minimum: "1" },
      [
        `if (!isInt64(x) && ${FAIL("int64")}) return true;`,
        'if (minimum(run, key, x, "1")) return true;',
      ],
    ],
    [
      "a limit that is not a number",
      { type: "integer", minimum: "few" },
      [`if (!isInteger(x) && ${FAIL("integer")}) return true;`],
    ],
    [
      "an anchored pattern",
      { type: "string", pattern: "^a$" },
      [
        `if (typeof x !== "string" && ${FAIL("string")}) return true;`,
        "if (pattern(run, key, x, boxFieldPattern)) return true;",
      ],
    ],
    [
      "null",
      { type: "string", "x-nullable": true },
      [
        `if (x !== null && typeof x !== "string" && ${FAIL("string")}) return true;`,
      ],
    ],
    [
      "a reference",
      { $ref: "Item" },
      ["if (at(run, key, x, checkItem)) return true;"],
    ],
    [
      "an alias",
      { $ref: "Alias" },
      ["if (at(run, key, x, checkItem)) return true;"],
    ],
    [
      "an enum",
      { $ref: "Color" },
      ["if (oneOf(run, key, x, colorValues)) return true;"],
    ],
    [
      "an open enum",
      { $ref: "Open" },
      [`if (typeof x !== "string" && ${FAIL("string")}) return true;`],
    ],
    [
      "a list of scalars",
      { type: "array", items: { type: "boolean" } },
      ['if (scalars(run, key, x, isBoolean, "boolean")) return true;'],
    ],
    [
      "a list of objects",
      { type: "array", items: { $ref: "Item" } },
      ["if (list(run, key, x, checkItem)) return true;"],
    ],
    [
      "a list of any values",
      { type: "array", items: { type: "any" } },
      [`if (!Array.isArray(x) && ${FAIL("array")}) return true;`],
    ],
    [
      "a map of scalars",
      { type: "object", additionalProperties: { type: "string" } },
      ['if (scalarMap(run, key, x, isString, "string")) return true;'],
    ],
  ])("%s", (_, raw, lines) => {
    expect(guardsOf(raw).lines).toEqual(lines);
  });

  test("of a nested list calls a function for its elements", () => {
    const inner = { type: "array", items: { $ref: "Item" } };
    const { lines, elements } = guardsOf({ type: "array", items: inner });
    expect(lines).toEqual([
      "if (list(run, key, x, checkItemList)) return true;",
    ]);
    expect(elements).toEqual(["checkItemList"]);
  });

  test("of a list of constrained elements calls a function of its own", () => {
    const items = { type: "string", pattern: "^[a-z]+$" };
    const { lines, elements } = guardsOf({ type: "array", items });
    expect(lines).toEqual([
      "if (list(run, key, x, checkBoxFieldItem)) return true;",
    ]);
    expect(elements).toEqual(["checkBoxFieldItem"]);
  });

  test("omit an unsafe pattern and report it", () => {
    const { lines, messages } = guardsOf({
      type: "string",
      pattern: "^(a*)*b$",
    });
    expect(lines).toHaveLength(1);
    expect(messages).toEqual(["pattern-unenforced"]);
  });
});
