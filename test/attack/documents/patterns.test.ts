import { spawn } from "node:child_process";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startMock } from "../../../src/mock/index.js";
import { patternText } from "../../../src/runtime/conformance/pattern-text.js";
import {
  boundedPattern,
  compilePattern,
} from "../../../src/runtime/server/routing/pattern.js";
import { simulate } from "../../../src/runtime/server/routing/pattern-machine.js";
import { judgePattern } from "../../../src/targets/validator/patterns.js";
import { write } from "../../cli/support.js";
import {
  description,
  generateConformance,
  generateServer,
} from "../../support/generate.js";
import { ROOT, temporaryFolder } from "../../support/paths.js";
import { forEachSeed, type Choices } from "../support/seeds.js";

/** Patterns that stall an engine, or whoever counts its states, by what they do. */
const HOSTILE: ReadonlyMap<string, string> = new Map([
  ["equal choices in a row", "(?:a|a)".repeat(28)],
  ["equal choices in a row, then an end", `^${"(?:a|a)".repeat(28)}$`],
  ["empty choices in a row", `^${"(?:|)".repeat(28)}$`],
  ["options before what they match", `^${"a?".repeat(40)}${"a".repeat(40)}$`],
  ["options of options", `^${"(?:(?:a?)?)".repeat(40)}${"a".repeat(40)}$`],
  ["nothing, very often", "^(?:){2147483647}$"],
  [
    "nothing, very often, nested",
    `^${"(?:".repeat(40)}${"){99999}".repeat(40)}$`,
  ],
  ["repetitions, nested", `^(?:(?:(?:(?:a{999}){999}){999}){999}){999}$`],
  ["repetitions of a loop", `^(?:a+){50}$`],
  ["loops in a row", `^${".*".repeat(40)}!!$`],
  ["a million choices", `^(?:${"a|".repeat(500_000)}b)$`],
  ["a large class, often", `^[${"az".repeat(900)}]{9999}$`],
  ["many options", `^${"[a-cx-z]?".repeat(220)}$`],
  ["depth", `^${"(".repeat(49)}a${")*".repeat(49)}$`],
  ["great depth", `^${"(".repeat(50_000)}a${")*".repeat(50_000)}$`],
]);

const TEXTS = [`${"a".repeat(5_000)}!`, "a".repeat(40), "", "b"];

/** Runs everything that reads or runs a pattern. */
function exercise(pattern: string): void {
  judgePattern(pattern);
  patternText(pattern, () => 0.4);
  const matches = compilePattern(pattern);
  if (matches !== undefined) for (const text of TEXTS) matches(text);
  // Generated validators run what is judged so on the platform's engine.
  if (judgePattern(pattern) === "enforced")
    for (const text of TEXTS) new RegExp(pattern).test(text);
}

function documentWith(pattern: string): Record<string, unknown> {
  const text = { type: "string", pattern };
  return description({
    methods: {
      get: {
        id: "demo.get",
        path: "v1/{name}",
        httpMethod: "GET",
        parameterOrder: ["name"],
        parameters: {
          name: { ...text, location: "path", required: true },
          q: { ...text, location: "query" },
        },
        response: { $ref: "A" },
      },
      put: {
        id: "demo.put",
        path: "v1/{+name}",
        httpMethod: "PUT",
        parameterOrder: ["name"],
        parameters: { name: { ...text, location: "path", required: true } },
        request: { $ref: "A" },
        response: { $ref: "A" },
      },
    },
    schemas: { A: { id: "A", type: "object", properties: { a: text } } },
  });
}

describe.each([...HOSTILE])("%s", (_, pattern) => {
  test("does not stall what reads and runs patterns", () =>
    forEachSeed(() => exercise(pattern), 1));

  test("does not stall generation", () =>
    forEachSeed(() => {
      const document = documentWith(pattern);
      generateServer(document);
      generateConformance(document);
    }, 1));

  test("does not stall a mock", () =>
    forEachSeed(async () => {
      const cwd = temporaryFolder();
      write(cwd, { "demo.json": documentWith(pattern) });
      const { fake } = await startMock(["demo.json"], { cwd });
      const target = `/v1/${"a".repeat(40)}?q=${"a".repeat(40)}`;
      const request = { method: "GET", target, header: () => undefined };
      expect(fake!.apis).toHaveLength(1);
      await fake!.handle(request as never);
    }, 1));
});

test("a pattern that is not run is named", () => {
  const { diagnostics } = generateServer(
    documentWith("^(?:(?:a{999}){999}){999}$"),
  );
  const codes = new Set(diagnostics.map(({ code }) => code));
  expect(codes).toContain("pattern-unenforced");
  expect(codes).toContain("pattern-unsupported");
});

/** A piece of a pattern; `most` bounds its repetitions. */
function piece(choices: Choices, depth: number, most: number): string {
  const atom = choices.int(depth > 0 ? 7 : 4);
  const inner = (): string =>
    Array.from({ length: choices.int(4) }, () =>
      piece(choices, depth - 1, most),
    ).join("");
  const text =
    atom > 5
      ? `(?:${inner()}|${inner()})`
      : atom > 3
        ? `(${inner()})`
        : choices.pick(["a", "b", "[ab]", "."]);
  const count = `{${choices.int(most)},${most + choices.int(most)}}`;
  return (
    text +
    choices.pick(["", "", "", "*", "+", "?", count, `{${choices.int(most)}}`])
  );
}

function patternOf(choices: Choices, most: number): string {
  const pieces = Array.from({ length: 1 + choices.int(6) }, () =>
    piece(choices, 4, most),
  );
  return `^${pieces.join("")}${choices.pick(["$", "", "b$"])}`;
}

test("no pattern stalls what reads and runs it", () =>
  forEachSeed((choices) => {
    exercise(patternOf(choices, choices.pick([2, 30, 1_000, 1_000_000])));
  }));

test("the machine says what the platform's engine says", () =>
  forEachSeed((choices) => {
    const pattern = patternOf(choices, 2);
    const parsed = boundedPattern(pattern);
    const run = parsed && simulate(parsed);
    // The platform's engine may take long; what is bounded it takes in short steps.
    if (run === undefined || pattern.length > 24) return;
    for (const text of ["", "a", "b", "ab", "ba", "aab", "abbab"])
      expect(run(text), `${pattern} on ${text}`).toBe(
        new RegExp(`^(?:${pattern})`).test(text),
      );
  }));

test("SIGTERM ends a mock of a document that stalls engines", async () => {
  const cwd = temporaryFolder();
  const pattern = `^${"(?:a|a)".repeat(28)}$`;
  write(cwd, { "demo.json": documentWith(pattern) });
  const command = [path.join(ROOT, "bin/gen.js"), "serve", "--mock"];
  const child = spawn(
    process.execPath,
    [...command, "--port", "0", "--spec", "demo.json"],
    { cwd, stdio: ["ignore", "pipe", "ignore"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const origin = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (data: Buffer) => {
      said += data.toString();
      const found = /listening on (http:\S+)\n/.exec(said);
      if (found !== null) resolve(found[1]!);
    });
    child.once("exit", () => reject(new Error("it did not start")));
  });
  const text = `${"a".repeat(28)}!`;
  const response = await fetch(`${origin}/v1/${text}?q=${text}`);
  expect(response.status).toBeLessThan(500);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
