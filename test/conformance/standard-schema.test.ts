// Generated schemas in libraries that accept Standard Schema, as npm installs
// them. They are no dependencies of the project, since only this test uses them.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { write } from "../cli/support.js";
import { ROOT } from "../support/paths.js";

const FIXTURES = path.join(ROOT, "test/conformance/standard-schema");

const PACKAGES = [
  "@hono/standard-validator@0.4.0",
  "@modelcontextprotocol/client@2.4.0",
  "@modelcontextprotocol/server@2.4.0",
  "@orpc/server@1.16.1",
  "@standard-schema/spec@1.1.0",
  "@tanstack/form-core@1.33.5",
  "@trpc/server@11.25.2",
  "hono@4.13.19",
];

const compilerOptions = {
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  module: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: [],
  outDir: "out",
};

const VALID = { title: "A", pages: [{ number: 1 }] };

/** The error of the page whose number is a string. */
const ISSUE = {
  message: "must be an integer from -2147483648 to 2147483647",
  path: ["pages", 1, "number"],
};

let cwd = "";
/** What main.ts prints: an answer to a valid and to an invalid value each. */
let found: Readonly<Record<string, unknown>>;

beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), "gen-standard-schema-"));
  const run = (command: string, ...args: readonly string[]): string =>
    execFileSync(command, args, { cwd, encoding: "utf8" });
  write(cwd, {
    "package.json": { private: true, type: "module" },
    "tsconfig.json": { compilerOptions, files: ["main.ts"] },
  });
  console.log(`installing ${PACKAGES.join(", ")} from the npm registry`);
  run(
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    ...PACKAGES,
  );
  const gen = path.join(ROOT, "bin/gen.js");
  const spec = path.join(FIXTURES, "demo.v1.json");
  const out = ["--out", "generated", "--target", "client,validator"];
  run(process.execPath, gen, "--quiet", "--spec", spec, ...out);
  cpSync(path.join(FIXTURES, "main.ts"), path.join(cwd, "main.ts"));
  // The types of the program are part of the test.
  run(path.join(ROOT, "node_modules/.bin/tsc"), "-p", ".");
  found = JSON.parse(run(process.execPath, "out/main.js")) as typeof found;
}, 300_000);

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe("schemas of generated validators", () => {
  test("check input and output in tRPC", () => {
    expect(found["trpc"]).toEqual([
      VALID,
      { name: "SchemaError", issues: [ISSUE] },
    ]);
  });

  test("check input and output in oRPC", () => {
    expect(found["orpc"]).toEqual([VALID, { issues: [ISSUE] }]);
  });

  test("describe and check tools of the Model Context Protocol", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      description: "A book.",
      properties: {
        title: { type: "string" },
        pages: { type: "array", items: { $ref: "#/$defs/Page" } },
      },
      $defs: {
        Page: {
          type: "object",
          properties: {
            number: {
              type: "integer",
              minimum: -2147483648,
              maximum: 2147483647,
            },
          },
        },
      },
    };
    const text = `Input validation error: Invalid arguments for tool add: pages.1.number: ${ISSUE.message}`;
    expect(found["mcp"]).toEqual([
      { name: "add", inputSchema: schema, outputSchema: schema },
      { content: [], structuredContent: VALID },
      { content: [{ type: "text", text }], isError: true },
    ]);
  });

  test("check bodies in Hono", () => {
    const data = { title: "A", pages: [{ number: 1 }, { number: "2" }] };
    expect(found["hono"]).toEqual([
      [200, { title: "A" }],
      [400, { success: false, data, error: [ISSUE] }],
    ]);
  });

  test("report errors of nested fields to forms of TanStack", () => {
    expect(found["tanstack"]).toEqual([[], [ISSUE]]);
  });

  test("have the type of a PATCH body", () => {
    expect(found["cleared"]).toEqual({ value: { title: null } });
  });
});
