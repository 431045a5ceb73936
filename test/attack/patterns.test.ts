import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { propertyIndex } from "../../src/overrides/schema/property-index.js";
import { randomBoundary } from "../../src/runtime/client/boundary.js";
import { readEnvelope } from "../../src/runtime/client/error.js";
import { ROOT } from "../support/paths.js";

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
  /** Expression that creates the pattern at run time. */
  readonly dynamic?: string;
}

const script = path.join(ROOT, "scripts/patterns.mjs");
const { listPatterns, worstCase } = (await import(
  pathToFileURL(script).href
)) as {
  listPatterns: () => Pattern[];
  worstCase: (pattern: Pattern) => Promise<string>;
};

/**
 * Regular expressions that are not linear, with the limit of their input or the
 * reason why it is trusted.
 */
const BOUNDED: Readonly<Record<string, string>> = {
  "src/runtime/client/error.ts /(<s(tyle|cript)[^]*?<\\/s[^<>]*>|<[^<>]*>|\\s)+/gi":
    "The body of an error is cut to 2,000 characters; a test below counts them.",
  "src/cli/commands/admin.ts /\\/*$/":
    "The option `--admin` of the user who runs the command.",
  "src/runtime/server/descriptions.ts /\\/*$/":
    "The option `basePath` of the program that runs the server, read once.",
  "src/runtime/server/dispatch/dispatcher.ts /\\/*$/":
    "The option `basePath` of the program that runs the server, read once.",
  "src/runtime/server/fastify.ts /\\/+$/":
    "The option `prefix` of the program that runs the server, read once.",
  "src/runtime/server/adapters/forwarded.ts /\\/+$/":
    "The option `origin` of the program that runs the server, read once.",
  "src/targets/shared/api-folder.ts /\\.+$/":
    "A segment of a path is cut to 100 characters.",
  "src/targets/validator/rules-file.ts /^import [^;]*;\\n/gm":
    "The text of a runtime module of this package.",
};

/**
 * Regular expressions created at run time, with the origin of their text and
 * its limit.
 */
const DYNAMIC: Readonly<Record<string, string>> = {
  "src/mock/resource-fields.ts new RegExp(pattern)":
    "Only patterns that judgePattern enforces: at most 2,000 characters and 1,000 ways (documents/patterns.test.ts).",
  "src/mock/scalars.ts new RegExp(source)":
    "Only patterns that judgePattern enforces: at most 2,000 characters and 1,000 ways (documents/patterns.test.ts).",
  "src/model/build/context.ts new RegExp(source)":
    "The syntax is checked; the expression is never run.",
  "src/model/names.ts new RegExp(`^[$_${LETTER}][$_0-9${LETTER}]*$`)":
    "A constant: two sets of letters, one after the other, with anchors.",
  "src/model/build/re2-pattern.ts new RegExp(result)":
    "The syntax is checked; the expression is never run.",
  "src/runtime/rules/values.ts new RegExp(`^(?:${OCTET}\\\\.){3}${OCTET}$`)":
    "A constant: four numbers, each of at most three digits, with anchors.",
  "src/runtime/rules/values.ts new RegExp(pattern)":
    "Patterns of x-rules; the generator drops those that are not linear, and a test below judges those of specs/.",
  'src/diagnostics/invisible.ts new RegExp(\n  `[\\\\u0000-\\\\u0008\\\\u000b-\\\\u001f${INVISIBLE}]`,\n  "g",\n)':
    "A constant: one set of characters.",
  'src/diagnostics/invisible.ts new RegExp(`[\\\\u0000-\\\\u001f${INVISIBLE}]`, "g")':
    "A constant: one set of characters.",
  'src/overrides/document/source-text.ts new RegExp(`[\\\\u00a0\\\\u202f${INVISIBLE}]`, "g")':
    "A constant: one set of characters.",
  'src/site/static/markdown.ts new RegExp(`[\\\\u0000-\\\\u0020\\\\s${INVISIBLE}]+`, "g")':
    "A constant: one set of characters.",
  "src/plugins/esbuild.ts new RegExp(`^${id}$`)":
    "A constant: the name of the plugin, with anchors.",
  "src/runtime/client/batch.ts new RegExp(`${boundary} ?\\\\+ ?(\\\\d+)$`)":
    "The boundary is made by randomBoundary: letters, digits and hyphens; a test below judges the expression.",
  'src/runtime/client/batch-format.ts new RegExp(`(?:^|\\\\n)--${boundary}(--)?[ \\\\t\\\\r]*(?=\\\\n|$)`, "g")':
    "The boundary is a header value of the response, with every special character escaped; a test below judges the expression.",
  "src/runtime/server/routing/pattern-syntax.ts new RegExp(pattern)":
    "The syntax is checked; the expression is never run. At most 2,000 characters.",
  "src/runtime/server/routing/pattern.ts new RegExp(`^(?:${pattern})`)":
    "At most 2,000 characters, 10,000 steps and 1,000 ways (documents/patterns.test.ts).",
  'src/targets/json-schema/constraints.ts new RegExp(source, "u")':
    "The syntax is checked; the expression is never run.",
  "src/validate/rules/patterns.ts new RegExp(pattern)":
    "The syntax is checked; the expression is never run.",
};

const patterns = listPatterns();

async function notLinear(of: readonly Pattern[]): Promise<string[]> {
  const bad: Pattern[] = [];
  // Sequential: each deadline counts from its start.
  for (const pattern of of)
    if ((await worstCase(pattern)) !== "linear") bad.push(pattern);
  const names = bad.map(
    ({ file, source, flags }) => `${file} /${source}/${flags}`,
  );
  return [...new Set(names)].sort();
}

test("a regular expression of src/ is linear, or its input is bounded", async () => {
  const literals = patterns.filter(({ dynamic }) => dynamic === undefined);
  expect(await notLinear(literals)).toEqual(Object.keys(BOUNDED).sort());
});

test("a regular expression made at run time is listed with its bound", () => {
  const made = patterns.flatMap(({ file, dynamic }) =>
    dynamic === undefined ? [] : [`${file} ${dynamic}`],
  );
  expect([...new Set(made)].sort()).toEqual(Object.keys(DYNAMIC).sort());
});

test("an expression made at run time from texts of src/ is linear", async () => {
  const boundary = `${randomBoundary()} ?\\+ ?(\\d+)$`;
  const delimiter = String.raw`(?:^|\n)--a\-b(--)?[ \t\r]*(?=\n|$)`;
  const { byPath, rules: fileRules } = propertyIndex();
  const { kinds } = fileRules;
  const rows = [...byPath.values()].map(({ row }) => row);
  const rules = [
    ...rows.flatMap(({ pattern = [] }) => pattern),
    ...rows.flatMap(({ advice }) => advice?.pattern ?? []),
    ...Object.values(kinds).flatMap(({ pattern = [] }) => pattern),
  ];
  expect(rules.length).toBeGreaterThan(5);
  const made = [...new Set([boundary, delimiter, ...rules])].map((source) => ({
    file: "",
    source,
    flags: "",
  }));
  expect(await notLinear(made)).toEqual([]);
});

test("the pattern for pages reads at most 2,000 characters", () => {
  const page = "<style".repeat(200_000);
  const { body, serverMessage } = readEnvelope(page);
  expect(body.length).toBe(2_000);
  expect(serverMessage!.length).toBe(200);
});
