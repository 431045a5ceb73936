import path from "node:path";
import { expect, test } from "vitest";
import { texts, write } from "../cli/support.js";
import { description } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { expectCounts, type Counts } from "./counts.js";
import { countRun } from "./run.js";

// Speed of generation as counted work, which is equal in each run: a lost
// optimisation shows as more reads, calls or modules.

/** Returns an API with schemas and methods in proportion to a count. */
function synthetic(count: number): object {
  const each = <T>(of: (index: number) => [string, T]) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => of(index)));
  return description({
    name: "synthetic",
    schemas: each((index) => [
      `Schema${index}`,
      {
        id: `Schema${index}`,
        type: "object",
        description: `Describes item ${index}. Used by a method.`,
        properties: {
          name: { type: "string", description: "Name of the item." },
          size: { type: "string", format: "int64" },
          state: { type: "string", enum: ["NEW", "OLD"] },
          next: { $ref: `Schema${(index + 1) % count}` },
          tags: { type: "array", items: { type: "string" } },
        },
      },
    ]),
    resources: each((index) => [
      `resource${index >> 3}x${index}`,
      {
        methods: {
          get: {
            id: `synthetic.resource${index >> 3}x${index}.get`,
            path: `items${index}/{id}`,
            httpMethod: "GET",
            parameters: {
              id: { type: "string", location: "path", required: true },
              view: { type: "string", location: "query" },
            },
            response: { $ref: `Schema${index}` },
          },
        },
      },
    ]),
  });
}

/** A run looks for settings in all parents of its folder, so their number is fixed. */
const shallowFolder = (): string => temporaryFolder("/tmp");

/** Returns a folder with the documents, and the arguments of a run. */
function project(target: string) {
  const cwd = shallowFolder();
  write(cwd, { "synthetic.json": synthetic(60) });
  const chat = path.join(ROOT, "specs/chat.v1.json");
  const specs = ["--spec", chat, "--spec", "synthetic.json"];
  const args = ["--quiet", ...specs, "--out", "out", "--target", target];
  return { place: { cwd, work: shallowFolder() }, args };
}

test("runs for two documents: cold, unchanged, --check, one of them changed", () => {
  const { place, args } = project("client");
  const run = (...more: string[]): Counts =>
    countRun([...args, ...more], place);
  const cold = run();
  expectCounts("generation: cold", cold);
  // The same on every run, so that the limits can be exact.
  expect(countRun(args, project("client").place)).toEqual(cold);

  run();
  expectCounts("generation: unchanged", run());
  expectCounts("generation: --check", run("--check"));
  write(place.cwd, { "synthetic.json": synthetic(61) });
  expectCounts("generation: one changed", run());
});

test("--version loads few modules", () => {
  const place = { cwd: shallowFolder(), work: shallowFolder() };
  expectCounts("generation: --version", countRun(["--version"], place));
});

test("calls grow with the document, not with its square", () => {
  const calls = [100, 200, 400].map((count) => {
    const place = { cwd: shallowFolder(), work: shallowFolder() };
    write(place.cwd, { "a.json": synthetic(count) });
    const args = ["--quiet", "--spec", "a.json", "--out", "out"];
    return countRun(args, place)["calls"]!;
  });
  const [first, second, third] = calls as [number, number, number];
  // A part of each run does not depend on the document, so linear is a little below 2.
  expect((third - second) / (second - first)).toBeLessThan(2.1);
});

test.each(["client", "server", "validator", "openapi"])(
  "output of target %s",
  (target) => {
    const { place, args } = project(target);
    countRun(args, place);
    const files = Object.entries(texts(path.join(place.cwd, "out")));
    const sizeOf = (pattern: RegExp): Counts => {
      const some = files.filter(([name]) => pattern.test(name));
      const bytes = some.reduce(
        (sum, [, text]) => sum + Buffer.byteLength(text),
        0,
      );
      return { files: some.length, bytes };
    };
    expectCounts(`output: ${target}, chat`, sizeOf(/^chat\//));
    expectCounts(`output: ${target}, synthetic`, sizeOf(/^synthetic\//));
    if (target !== "openapi")
      expectCounts(`output: ${target}, runtime`, sizeOf(/^runtime\//));
  },
);
