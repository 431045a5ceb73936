import { expect, test } from "vitest";
import { description, generateClient } from "../support/generate.js";
import { readOutput } from "./output.js";

/** Returns deeply nested JSON text, which JSON.stringify could not write. */
function nest(open: string, close: string, depth: number): string {
  return `${open.repeat(depth)}{"type":"string"}${close.repeat(depth)}`;
}

function documentWith(schema: string, resource = "{}"): string {
  return JSON.stringify(
    description({
      schemas: { Deep: "@schema" },
      resources: { r: "@resource" },
    }),
  )
    .replace('"@schema"', () => schema)
    .replace('"@resource"', () => resource);
}

const SHAPES: readonly (readonly [string, string, string])[] = [
  ["objects", '{"type":"object","properties":{"p":', "}}"],
  ["lists", '{"type":"array","items":', "}"],
  ["maps", '{"type":"object","additionalProperties":', "}"],
];

/** Schemas below the maximum depth become unknown and are reported. */
test.each(
  SHAPES.flatMap((shape) =>
    [10, 60, 500, 10_000].map((depth) => [...shape, depth] as const),
  ),
)("%s: %s nested", (_, open, close, depth) => {
  const { files, diagnostics } = generateClient(
    documentWith(nest(open, close, depth)),
  );
  const isDeep = diagnostics.some(({ code }) => code === "shape-too-deep");
  expect(isDeep).toBe(depth > 64);
  for (const [path, text] of files)
    expect(readOutput(path, text).syntaxErrors).toEqual([]);
  expect(files.get("demo/v1/schemas.ts")).toContain(" Deep");
});

test.each([10, 60, 10_000])("resources nested %i deep", (depth) => {
  const method =
    '"methods":{"get":{"id":"demo.get","path":"x","httpMethod":"GET"}}';
  const text = `${`{${method},"resources":{"r":`.repeat(depth - 1)}{${method}}${"}}".repeat(depth - 1)}`;
  const { files, diagnostics } = generateClient(
    documentWith('{"type":"string"}', text),
  );
  const count = [...files].filter(([path]) => path.includes("/resources/"));
  expect(count.length).toBe(Math.min(depth, 100));
  const isDeep = diagnostics.some(({ code }) => code === "shape-too-deep");
  expect(isDeep).toBe(depth > 100);
  for (const [path] of count)
    expect(path.split("/").at(-1)!.length).toBeLessThan(256);
});
