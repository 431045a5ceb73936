import { expect, test } from "vitest";
import { violations } from "../../property/code-rules.js";
import { fill, HOSTILE, TEMPLATE } from "../../property/hostile.js";
import { generateServer } from "./generated.js";

/**
 * Returns the errors in the server of a document whose texts all contain a
 * hostile text.
 */
function faultsOf(text: (label: string) => string): string[] {
  const usable = (label: string): string =>
    text(label) || (label === "name" || label === "version" ? "x" : "");
  return faults(fill(TEMPLATE, usable));
}

function faults(document: unknown): string[] {
  return [...generateServer(document).files]
    .filter(([path]) => /(?:server|routes)\.ts$/.test(path))
    .flatMap(([path, code]) => violations(path, code));
}

test("a document without special characters", () => {
  expect(faultsOf((label) => label)).toEqual([]);
});

test.each(HOSTILE.map((text) => [text.slice(0, 30), text] as const))(
  "%j is printed as text everywhere",
  (_, text) => {
    expect(faultsOf(() => text)).toEqual([]);
    expect(faultsOf((label) => `${label} ${text}`)).toEqual([]);
  },
);

test("text in extensions is printed as text", () => {
  const evil = '"}; process.exit(); /* */ ${x} `';
  const document = {
    kind: "discovery#restDescription",
    name: "demo",
    version: "v1",
    rootUrl: "https://demo.example.com/",
    servicePath: "",
    documentationLink: evil,
    "x-credential": { in: "header", name: evil, schemes: [evil] },
    "x-headers": { [evil]: { type: "string", default: evil } },
    "x-errors": {
      default: {
        $ref: evil,
        body: { [evil]: evil, __proto__: null },
        message: evil,
      },
    },
    methods: {
      get: {
        id: evil,
        path: "x",
        httpMethod: "POST",
        request: { $ref: "A" },
        "x-stream": { when: { [evil]: evil }, $ref: "A", end: evil },
        "x-body-parameters": [evil],
        "x-status": 201,
      },
    },
    schemas: { A: { id: "A", type: "object" } },
  };
  expect(faults(document)).toEqual([]);
});
