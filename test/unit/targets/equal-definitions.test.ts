import { describe, expect, test } from "vitest";
import {
  description,
  generateServer,
  generateValidators,
} from "../../support/generate.js";

const warning = (...values: string[]): object => ({
  type: "object",
  properties: {
    code: { type: "string", enum: values },
    data: {
      type: "array",
      items: { type: "object", properties: { key: { type: "string" } } },
    },
  },
});

const list = (id: string, ...values: string[]): object => ({
  id,
  type: "object",
  properties: {
    [id.toLowerCase()]: { type: "integer" },
    warning: warning(...values),
    mode: { type: "string", enum: ["on", "off"] },
  },
});

const document = (changed: string[] = ["a", "b"]) =>
  description({
    schemas: {
      Apples: list("Apples", "a", "b"),
      Pears: list("Pears", ...changed),
      Quinces: list("Quinces", "a", "b"),
    },
    resources: {
      pears: {
        methods: {
          get: {
            id: "demo.pears.get",
            path: "pears",
            httpMethod: "GET",
            response: { $ref: "Pears" },
          },
        },
      },
    },
  });

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name!);

const textOf = (files: ReadonlyMap<string, string>, name: string): string =>
  [...files].find(([path]) => path.endsWith(name))![1];

describe("equal enums", () => {
  const typesOf = (changed?: string[]): string[] =>
    namesIn(
      textOf(generateServer(document(changed)).files, "/schemas.ts"),
      /export type (\w+)/g,
    );

  test("have one type: called after the path, or the shortest name", () => {
    expect(typesOf()).toEqual(["PearsMode", "WarningCode"].sort().reverse());
  });

  test("keep their name if one of them changes", () => {
    expect(typesOf(["a", "c"]).sort()).toEqual([
      "PearsMode",
      "PearsWarningCode",
      "WarningCode",
    ]);
  });
});

describe("definitions with the same checks", () => {
  const checksOf = (changed?: string[]): string[] =>
    namesIn(
      textOf(generateValidators(document(changed)).files, "/validators.ts"),
      /^function (\w+)/gm,
    ).sort();

  test("have one function, called after the path", () => {
    expect(checksOf()).toEqual([
      "checkApples",
      "checkPears",
      "checkQuinces",
      "checkWarning",
      "checkWarningData",
    ]);
  });

  test("keep their name if one of them changes", () => {
    expect(checksOf(["a", "c"])).toEqual([
      "checkApples",
      "checkPears",
      "checkPearsWarning",
      "checkQuinces",
      "checkWarning",
      "checkWarningData",
    ]);
  });
});
