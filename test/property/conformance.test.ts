import { expect, test } from "vitest";
import { generateConformance } from "../support/generate.js";
import { violations } from "./code-rules.js";
import { HOSTILE, TEMPLATE, fill } from "./hostile.js";

/** The only statement of conformance.test.ts; its literal can have any text. */
const REGISTER =
  /^void register\(\s*(["'])(?:(?!\1)[^\\\n]|\\.)*\1,\s+conformance\(\),?\s*\);$/m;

/** Generates the checks of the document; returns errors in their code. */
function faultsOf(text: (label: string) => string): string[] {
  // Paths of more than 1,000 segments are rejected.
  const usable = (label: string): string =>
    text(label).slice(0, 1_500) ||
    (label === "name" || label === "version" ? "x" : "");
  const { files } = generateConformance(fill(TEMPLATE, usable));
  expect(files.size).toBe(2);
  return [...files].flatMap(([path, code]) =>
    violations(path, code.replace(REGISTER, "")),
  );
}

test.each(HOSTILE.map((text) => [text.slice(0, 30), text] as const))(
  "%j stays text in the checks",
  (_, text) => {
    expect(faultsOf(() => text)).toEqual([]);
    expect(faultsOf((label) => text + label)).toEqual([]);
  },
);
