import path from "node:path";
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { findPlaceholders } from "../../src/runtime/rules/placeholders.js";
import { findTemplateExpression } from "../../src/overrides/document/source-text.js";
import {
  checkFile,
  resolveCheckOptions,
} from "../../src/overrides/validate.js";
import { write } from "../cli/support.js";
import { VALID_12, VALID_13 } from "../support/overrides.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { printedFor } from "./support/overrides.js";
import { forEachSeed, type Choices } from "./support/seeds.js";

/** Text that is difficult for readers of YAML, templates and placeholders. */
const NASTY = [
  "$(",
  "${a",
  "<a",
  "_YOUR_A",
  "#{{",
  " #'{{",
  "{%",
  "'",
  '"',
  "[",
  "{a: ",
  "- ",
  "-\n",
  "? ",
  "&a ",
  "*a",
  "<<: *a\n",
  "!x ",
  "---\n",
  "%Y\n",
  "|\n",
  ">\n",
  "\t",
  "\u00a0",
  "\u200b",
  "\ufeff",
  "\r",
  "\u0000",
  "\ud800",
  "-----BEGIN",
  "://",
  "@",
  "password",
  "__proto__: ",
  "constructor: ",
  "a: ",
  ": ",
  "\n",
  "\n  ",
];

/** Returns a file with lines and difficult text in random positions. */
function mutated(choices: Choices, secret: string): string {
  const base = choices.pick([VALID_12, VALID_13]);
  const lines = base.split("\n");
  for (let count = choices.int(6); count > 0; count--) {
    const at = choices.int(lines.length);
    const line = lines[at]!;
    switch (choices.int(5)) {
      case 0:
        lines.splice(at, 1);
        break;
      case 1:
        lines.splice(choices.int(lines.length), 0, line);
        break;
      case 2:
        lines[at] = " ".repeat(choices.int(4)) + line.trimStart();
        break;
      case 3: {
        const column = choices.int(line.length + 1);
        const more = choices.pick(NASTY).repeat(1 + choices.int(3));
        lines[at] = line.slice(0, column) + more + line.slice(column);
        break;
      }
      default: {
        const times = choices.chance(0.1) ? choices.int(500) : 2;
        const more = choices.pick(NASTY) + choices.pick(NASTY);
        lines.splice(at, 0, `k${at}: ${more.repeat(times)}`);
      }
    }
    if (lines.length === 0) lines.push("");
  }
  const at = choices.int(lines.length + 1);
  lines.splice(at, 0, "httpProxy:", "  host: h", `  password: ${secret}`);
  return lines.join("\n");
}

test("random overrides files: no crash, and no secret in the output", async () => {
  const cwd = temporaryFolder();
  await forEachSeed(async (choices, seed) => {
    const secret = `s3cr${seed}Zq${choices.int(1e6)}`;
    const text = mutated(choices, secret);
    for (const { command, text: printed } of await printedFor(cwd, text))
      expect(
        printed.includes(secret) ? `${text}\n--- ${command}\n${printed}` : "",
        command,
      ).toBe("");
  });
});

const SIZE = 1_000_000;
const many = (text: string): string =>
  text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);

/** A megabyte of numbered text. */
function numbered(text: (index: number) => string): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; length < SIZE; index++) {
    const part = text(index);
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

describe("a file of 1 MB is read in linear time", () => {
  test.each(["$(", "${a", "<a", "_YOUR_A", "_YOUR_A_", "$a", "A_"])(
    "placeholders: %s",
    (part) => {
      const text = many(part);
      const seen = countingReads(() => findPlaceholders(text, false));
      expect(seen).toBeLessThan(10 * SIZE);
    },
  );

  test.each(["#{{", "#'{{", " #{{", "{%", "# {{"])("templates: %s", (part) => {
    const text = many(part);
    const seen = countingReads(() => findTemplateExpression(text));
    expect(seen).toBeLessThan(10 * SIZE);
  });
});

/** Upper bound of the characters that searches have examined. */
function countingReads(run: () => unknown): number {
  let count = 0;
  const original = {
    indexOf: String.prototype.indexOf,
    lastIndexOf: String.prototype.lastIndexOf,
    slice: String.prototype.slice,
  };
  String.prototype.indexOf = function (this: string, part, from = 0) {
    const at = original.indexOf.call(this, part, from);
    count += (at < 0 ? this.length : at) - from + 1;
    return at;
  };
  String.prototype.lastIndexOf = function (this: string, part, from) {
    const at = original.lastIndexOf.call(this, part, from);
    count += Math.min(from ?? this.length, this.length) - at;
    return at;
  };
  String.prototype.slice = function (this: string, from, to) {
    const text = original.slice.call(this, from, to);
    count += text.length;
    return text;
  };
  try {
    run();
  } finally {
    Object.assign(String.prototype, original);
  }
  return count;
}

/** Returns the slowest of a hundred files of 1 MB. */
const WORST: Readonly<Record<string, string>> = {
  "unknown.yaml": numbered((index) => `k${index}: 1\n`),
  "twice.yaml": many("a: 1\n"),
  "items.yaml": `envs:\n${numbered((index) => `  - nam: $E${index}\n`)}`,
  "braces.yaml": `a: {${numbered((index) => `b${index}: 1, `)}b: 1}\n`,
  "hosts.yaml": `${VALID_12.replace("- env: test", `- env: test\n${numbered((index) => `      - env: e${index}\n`).slice(0, SIZE - 3000)}`)}`,
  "secrets.yaml": `httpProxy:\n${numbered((index) => `  pasword${index}: x\n`)}`,
  "parentheses.yaml": `org: ${many("$(")}\n`,
  "quotes.yaml": many('"'),
};

test.each(["[", "]", ",", "a: *x\n", "- a\nb:\n", "a: b\n\tc\n", "%\n", "!a "])(
  "1 MB of syntax errors (%j) is read up to the first errors",
  (part) => {
    const bytes = Buffer.from(`a: b\n${part.repeat(1e6 / part.length)}`);
    const { diagnostics } = checkFile(
      "o.yaml",
      bytes,
      resolveCheckOptions("1.3.6"),
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["S02"]);
  },
);

test("the worst files of 1 MB need less than 512 MB of memory", () => {
  const cwd = temporaryFolder();
  write(cwd, WORST);
  const run = (...args: string[]) =>
    spawnSync(
      process.execPath,
      ["--max-old-space-size=512", path.join(ROOT, "bin/gen.js"), ...args],
      { cwd, encoding: "utf8", timeout: 100_000, maxBuffer: 1 << 26 },
    );
  const checked = run("overrides", "validate", ...Object.keys(WORST));
  expect(checked.stderr).toBe("");
  expect([2, 3]).toContain(checked.status);
  expect(checked.stdout.length).toBeLessThan(4_000_000);
  for (const file of ["unknown.yaml", "hosts.yaml"]) {
    const { status, stderr } = run("overrides", "rewrite", file, "--check");
    expect(stderr).not.toContain("bug");
    expect(status).toBe(2);
  }
});
