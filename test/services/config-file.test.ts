import { expect, test } from "vitest";
import { ConfigFile, SetupError } from "../../src/services/config-file.js";
import { serve } from "./support.js";

/** Returns position and message of the mistake in a config, as printed by the command line. */
async function mistakes(settings: string): Promise<readonly string[]> {
  try {
    await serve({ settings });
    return [];
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return error.diagnostics.map(
      ({ code, file, line, column, pointer, message }) =>
        `${file}:${line}:${column} ${code} ${pointer} ${message}`,
    );
  }
}

test.each([
  [
    "marketplace:\n  support: true\n  suport: false\n",
    'config.yaml:3:3 config-invalid /marketplace/suport marketplace: unknown member "suport" (did you mean support?); allowed members: enabled, support, requestsPerMinute, processes, trustProxy',
  ],
  [
    "marketplace:\n  requestsPerMinute: -1\n",
    "config.yaml:2:3 config-invalid /marketplace/requestsPerMinute marketplace: requestsPerMinute must be an integer from 0 to 1000000",
  ],
  [
    '{\n  "marketplace": { "enabled": "no" }\n}',
    "config.yaml:2:20 config-invalid /marketplace/enabled marketplace: enabled must be true or false",
  ],
  [
    "marketplace: [1]",
    "config.yaml:1:1 config-invalid /marketplace marketplace: the section must be an object",
  ],
  [
    "# names\nmarketplaec: {}\n",
    "config.yaml:2:1 config-unknown /marketplaec unknown service 'marketplaec' (did you mean marketplace?)",
  ],
])("%j", async (settings, told) => {
  expect(await mistakes(settings)).toEqual([told]);
});

test.each([
  ["marketplace: {", "config.yaml:1:15 config-syntax undefined"],
  [
    "marketplace: 1\nmarketplace: 2\n",
    "config.yaml:2:1 config-syntax undefined",
  ],
  ["- a\n", "config.yaml:1:1 config-syntax  the file must contain an object"],
  ["marketplace: *nobody\n", "config.yaml:1:1"],
])("%j is not a valid config", async (settings, told) => {
  const [found] = await mistakes(settings);
  expect(found).toContain(told);
});

test("accepts an empty file and empty sections", async () => {
  expect(await mistakes("")).toEqual([]);
  expect(await mistakes("# nothing\n")).toEqual([]);
  expect(await mistakes("marketplace:\n")).toEqual([]);
  const file = new ConfigFile("c", "a:\nb: { c: 1 }", [
    "a",
    "b",
    "constructor",
  ]);
  expect(file.section("a")).toEqual({});
  expect(file.section("b")).toEqual({ c: 1 });
  expect(file.section("constructor")).toBeUndefined();
});

test("refuses aliases with excessive expansion", async () => {
  const lines = Array.from(
    { length: 30 },
    (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`,
  );
  const [found] = await mistakes(`a0: &a0 [1]\n${lines.join("\n")}\n`);
  expect(found).toContain("config-syntax");
});
