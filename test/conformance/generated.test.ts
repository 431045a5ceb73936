import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { runConformance, type Outcome, type Told } from "./support/run.js";

const folder = mkdtempSync(path.join(tmpdir(), "gen-conformance-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Features that the client does not support yet, by key of the description. */
const CAUSES: Readonly<Record<string, (one: Told) => boolean>> = {};

test("the committed clients and servers of specs/ interoperate", async () => {
  const outcomes = await run("generated", (out) => out);
  expect(outcomes.map(({ name }) => name).sort()).toEqual(NAMES);
  expect(outcomes.flatMap(({ failed }) => failed)).toEqual([]);
  const found = outcomes.flatMap((outcome) => outcome.found);
  expect(found.filter((one) => causeOf(one) === undefined)).toEqual([]);
  expect([...new Set(found.map(causeOf))].sort()).toEqual(
    Object.keys(CAUSES).sort(),
  );
});

const NAMES = [
  "admin/v1",
  "chat/v1",
  "discovery/v1",
  "marketplace/v1",
  "migration/v1",
];

/** Mutations of generated code, and where they are detected. */
const MISTAKES: readonly (readonly [
  file: string,
  from: string,
  to: string,
  shows: RegExp,
])[] = [
  [
    "chat/v1/client.ts",
    '"v1/models/{model}"',
    '"v1/model/{model}"',
    /^chat\.models\.get .* full/,
  ],
  [
    "chat/v1/client.ts",
    'end: "[DONE]"',
    'end: "[END]"',
    /^chat\.chat\.completions\.create .* stream/,
  ],
  [
    "discovery/v1/client.ts",
    '"apis/{api}/{version}/rest"',
    '"apis/{version}/{api}/rest"',
    /^discovery\.apis\.getRest .* full parameters \/(?:api|version)$/,
  ],
  [
    "migration/v1/routes.ts",
    'httpMethod: "DELETE"',
    'httpMethod: "PUT"',
    /^migration\.migrations\.deleteArchiveForOrg .* full/,
  ],
];

test("detects every mutation of generated code", async () => {
  const outcomes = await run("mistakes", (out) => {
    for (const [file, from, to] of MISTAKES) {
      const target = path.join(out, file);
      const text = readFileSync(target, "utf8");
      expect(text).toContain(from);
      writeFileSync(target, text.replace(from, to));
    }
  });
  const lines = outcomes
    .flatMap(({ found }) => found)
    .map(({ method, transport, step, pointer }) =>
      [method, transport, step, pointer].join(" "),
    );
  for (const [, , , shows] of MISTAKES)
    expect(lines).toContainEqual(expect.stringMatching(shows));
});

async function run(
  name: string,
  change: (out: string) => unknown,
): Promise<Outcome[]> {
  const out = path.join(folder, name);
  cpSync(path.join(ROOT, "generated"), out, { recursive: true });
  change(out);
  return runConformance(out, path.join(folder, `${name}-compiled`));
}

function causeOf(one: Told): string | undefined {
  return Object.keys(CAUSES).find((cause) => CAUSES[cause]!(one));
}
