import type ts from "ts6";
import { describe, expect, test } from "vitest";
import {
  identifier,
  literal,
  literalKey,
  propertyKey,
} from "../../../src/render/typescript/code.js";
import { Imports } from "../../../src/render/typescript/imports.js";
import { parse } from "../../cases/output.js";
import { Call, property } from "../../../src/render/typescript/literals.js";
import { Code } from "../../../src/render/typescript/code.js";
import { NameScope } from "../../../src/model/names.js";

test.each([
  ["a", '"a"'],
  ['say "x"', "'say \"x\"'"],
  ["it's", '"it\'s"'],
  ["\"'", '"\\"\'"'],
  ["a\nb\\", '"a\\nb\\\\"'],
  ["\u2028\u202e\u0000\u0085", '"\\u2028\\u202e\\u0000\\u0085"'],
  ["\ud83d", '"\\ud83d"'],
  ["😀`${x}`", '"😀`${x}`"'],
])("the literal of %j", (value, code) => {
  expect(literal(value).text).toBe(code);
  const [statement] = parse("literal.ts", code).statements;
  const node = (statement as ts.ExpressionStatement).expression;
  expect((node as ts.StringLiteral).text).toBe(value);
});

test("keys are quoted unless they are identifiers, and __proto__ is a computed key", () => {
  expect(["a", "a-b", "0", ""].map((key) => propertyKey(key).text)).toEqual([
    "a",
    '"a-b"',
    '"0"',
    '""',
  ]);
  expect(propertyKey("__proto__").text).toBe("__proto__");
  expect(literalKey("__proto__").text).toBe('["__proto__"]');
});

test("text that is not an identifier throws", () => {
  expect(() => identifier("a b")).toThrow(/not an identifier/);
});

describe("properties of descriptors", () => {
  test.each([
    ["id", "x", 'id: "x"'],
    ["expand", new Code("expandTemplate"), "expand: expandTemplate"],
    ["keepReserved", new Code("keepReserved"), "keepReserved"],
    [
      "use",
      [new Call("paged", { items: "x" }), new Code("download")],
      'use: [paged({ items: "x" }), download]',
    ],
    ["use", [new Call("paged", {})], "use: [paged({})]"],
    ["path", "p".repeat(80), `path: "${"p".repeat(80)}"`],
    ["paths", "p".repeat(80), `paths:\n    "${"p".repeat(80)}"`],
    ["names", { a_: "a" }, 'names: {\n    a_: "a",\n  }'],
    ["k".repeat(76), { a: 1 }, `${"k".repeat(76)}:\n    {\n      a: 1,\n    }`],
    ["k".repeat(75), { a: 1 }, `${"k".repeat(75)}: {\n    a: 1,\n  }`],
    ["list", [], "list: []"],
    [
      "list",
      ["a".repeat(40), "b".repeat(40)],
      `list: [\n    "${"a".repeat(40)}",\n    "${"b".repeat(40)}",\n  ]`,
    ],
    [
      "use",
      [new Call("paged", { items: "i".repeat(40), token: "t".repeat(40) })],
      `use: [\n    paged({\n      items: "${"i".repeat(40)}",\n      token: "${"t".repeat(40)}",\n    }),\n  ]`,
    ],
  ])("%s", (key, value, code) => {
    expect(property(key, value, 2)).toBe(`${code},`);
  });
});

describe("imports", () => {
  test("are sorted, renamed if their names are taken, and type-only if only types are used", () => {
    const imports = new Imports(new NameScope(["Client", "list"]));
    expect(imports.type("./b.js", "Client")).toBe("Client_");
    expect(imports.value("./b.js", "list")).toBe("list_");
    expect(imports.type("./a.js", "Thing")).toBe("Thing");
    expect(imports.type("./a.js", "Thing")).toBe("Thing");
    imports.namespace("./c.js", "c", "value");
    expect(imports.render().text).toBe(
      '\nimport type { Thing } from "./a.js";\nimport { type Client as Client_, list as list_ } from "./b.js";\nimport * as c from "./c.js";\n',
    );
  });

  test("a name that is printed as a type and as a value is imported as a value", () => {
    const imports = new Imports(new NameScope());
    imports.type("./a.js", "x");
    imports.value("./a.js", "x");
    expect(imports.render().text).toBe('\nimport { x } from "./a.js";\n');
  });

  test("are empty if no name is used", () => {
    expect(new Imports(new NameScope()).render().text).toBe("");
  });
});
