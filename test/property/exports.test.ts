import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { jsonText, type Json } from "../../src/targets/json-schema/json.js";
import { yamlText } from "../../src/targets/openapi/print.js";
import { exportApi, parsed, type Node } from "../support/exports.js";
import { isFull, rounds } from "../support/full.js";
import { anyText } from "../support/any-text.js";
import { HOSTILE, TEMPLATE, fill } from "./hostile.js";

const COMPONENT = /^[A-Za-z0-9._-]+$/;

/** Matches a path that stays in its folder and names no device. */
const FILE =
  /^(?:(?!\.)(?!(?:con|prn|aux|nul|com\d|lpt\d)\b(?![_-]))[\w.-]{1,255}(?:\/|$))+$/i;

/** Exports the document and returns the faults of the output. */
function faultsOf(text: (label: string) => string): string[] {
  const usable = (label: string): string =>
    text(label) || (label === "name" || label === "version" ? "x" : "");
  const document = fill(TEMPLATE, usable);
  const exported = exportApi(document, { openapiSplit: true });
  const whole = exportApi(document);
  const openapi = parsed(whole, "openapi.json");
  const schemas = parsed(whole, "schemas.json");
  const yaml = yamlText(openapi as unknown as Json);
  const components = openapi["components"]!;
  const files = [...exported.files.keys()];
  return [
    ...(isSame(parse(yaml, { maxAliasCount: 0 }), openapi) ? [] : ["YAML"]),
    ...Object.values(components)
      .flatMap((members) => Object.keys(members))
      .concat(Object.keys(schemas["$defs"]!))
      .filter((name) => !COMPONENT.test(name) || name in Object.prototype)
      .map((name) => `component ${name}`),
    ...files.filter((file) => !FILE.test(file)).map((file) => `file ${file}`),
    ...(new Set(files.map((file) => file.toLowerCase())).size === files.length
      ? []
      : ["two files with the same name"]),
    ...pathFaults(openapi),
  ];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Each variable of a path must be declared once, and no path has a query. */
function pathFaults(openapi: Node): string[] {
  return Object.entries(openapi["paths"]!).flatMap(([path, item]) => {
    const variables = [...path.matchAll(/\{([^{}]*)\}/g)].map(
      ([, name]) => name,
    );
    const operations = Object.entries(item).filter(
      ([key]) => key !== "parameters",
    );
    const bare = path.replace(/\{[^{}]*\}/g, "");
    return [
      ...(path.startsWith("/") && !/[{}?#]/.test(bare) ? [] : [`path ${path}`]),
      ...operations.flatMap(([key, operation]) => {
        const list = (operation["parameters"] ?? []) as unknown as Node[];
        const names = list
          .filter((each) => (each["in"] as unknown) === "path")
          .map((each) => each["name"]);
        return key.startsWith("x-") || names.join() === variables.join()
          ? []
          : [`variables of ${path}`];
      }),
    ];
  });
}

describe("text of a description is never structure of an export", () => {
  const short = HOSTILE.filter((text) => text.length < 1000);

  test("the document is exported completely", () => {
    expect(faultsOf((label) => label)).toEqual([]);
  });

  test.each(HOSTILE.map((text) => [text.slice(0, 30), text] as const))(
    "%j in every slot",
    (_, text) => {
      expect(faultsOf((label) => text + label)).toEqual([]);
      if (text.length < 1000 && isFull)
        expect(faultsOf(() => text)).toEqual([]);
    },
  );

  test("any value is the same after YAML and JSON", () => {
    const nasty = fc.oneof(
      fc.constantFrom(...short),
      anyText(30),
      fc.string({
        unit: fc.constantFrom(..."a:-#&*!|>'\"%@`{}[],?\n \t~=<\r"),
        maxLength: 20,
      }),
      fc.constantFrom(
        "yes",
        "1e3",
        "0x1f",
        "2020-01-01",
        "1_000",
        ".inf",
        "=",
        "<<",
        "a: b",
        "- a",
        "a\n b",
        "\n",
        "a\n",
        "a \nb",
        "\u0085",
        "---",
        "...",
        "12:30:45",
        "k".repeat(1200),
      ),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        nasty,
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        fc.constantFrom(null, true, false),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(nasty, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const plain = JSON.stringify(value);
        expect(JSON.stringify(JSON.parse(jsonText(value as Json)))).toBe(plain);
        const read: unknown = parse(yamlText(value as Json));
        expect(JSON.stringify(read)).toBe(plain);
      }),
      { numRuns: rounds(2_000), seed: 20_250_102 },
    );
  });
});
