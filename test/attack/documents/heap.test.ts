import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { description } from "../../support/generate.js";
import { ROOT, temporaryFolder } from "../../support/paths.js";

/** Heap of the generator, in MB, for documents of about 1 MB. */
const HEAP = 512;

/** Deadline in milliseconds; each run takes 1 to 3 seconds on an idle machine. */
const PATIENCE = 60_000;

const text = { type: "string" };

function members(
  count: number,
  entry: (index: number) => readonly [string, object],
): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => entry(at)),
  );
}

function source(parts: object): string {
  return JSON.stringify(description(parts as Record<string, unknown>));
}

/** Objects in objects; written as text, since JSON.stringify has a limit too. */
function nested(depth: number): string {
  const open = '{"type":"object","properties":{"a":'.repeat(depth);
  const schema = `${open}{}${"}}".repeat(depth)}`;
  return source({ schemas: { A: {} } }).replace(
    '"A":{}',
    () => `"A":${schema}`,
  );
}

/** Documents of 0.7 to 1.2 MB, and the exit code: 0 generated, 3 refused. */
const WORST: readonly (readonly [string, 0 | 3, () => string])[] = [
  [
    "a chain of 40,000 aliases",
    0,
    () =>
      source({
        schemas: members(40_000, (at) => [
          `A${at}`,
          at === 39_999 ? text : { $ref: `A${at + 1}` },
        ]),
      }),
  ],
  [
    "a path of 1,000,000 slashes",
    3,
    () =>
      source({
        methods: { get: { path: "/".repeat(1_000_000), httpMethod: "GET" } },
      }),
  ],
  [
    "5,500 names that become the same identifier",
    0,
    () =>
      source({
        schemas: members(5_500, (at) => [
          `a${"-".repeat(1 + (at % 70))}${".".repeat(Math.floor(at / 70))}`,
          { type: "object", properties: { a: text } },
        ]),
      }),
  ],
  ["28,000 objects in each other", 0, () => nested(28_000)],
  [
    "12,000 schemas that refer to each other",
    0,
    () =>
      source({
        schemas: members(12_000, (at) => [
          `S${at}`,
          {
            id: `S${at}`,
            type: "object",
            properties: {
              a: { $ref: `S${(at * 7919 + 1) % 12_000}` },
              b: { $ref: `S${(at + 1) % 12_000}` },
            },
          },
        ]),
      }),
  ],
  [
    "a scope of 160,000 times /auth/",
    0,
    () => {
      const scope = `https:/${"/auth/".repeat(160_000)}\n`;
      return source({
        auth: { oauth2: { scopes: { [scope]: { description: "all" } } } },
      });
    },
  ],
];

test.each(WORST)("%s: exit code %i, in a heap of 512 MB", (_, exit, make) => {
  const folder = temporaryFolder();
  const file = path.join(folder, "demo.json");
  writeFileSync(file, make());
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    [
      `--max-old-space-size=${HEAP}`,
      "bin/gen.js",
      "--spec",
      file,
      "--out",
      path.join(folder, "out"),
      "--target",
      "client,server,validator,conformance",
    ],
    { cwd: ROOT, timeout: PATIENCE, encoding: "utf8" },
  );
  const end = stderr.slice(-2_000);
  expect({ status, signal }, end).toEqual({ status: exit, signal: null });
});
