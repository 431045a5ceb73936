import { expect, test } from "vitest";
import {
  UsageError,
  type Command,
  type CommandRow,
} from "../../../src/cli/command.js";
import { chooseCommand, parseArguments } from "../../../src/cli/main.js";

const command: Command = {
  options: [
    { name: "spec", kind: "list", required: true, description: "what" },
    { name: "dryRun", kind: "switch", description: "look" },
  ],
  help: "\nMore help.",
  run: async () => 0,
};
const row = (name: string): CommandRow => ({
  name,
  summary: `Does ${name}.`,
  load: () => command,
});
const rows = [
  row("generate"),
  row("list"),
  row("overrides check"),
  row("overrides"),
] as const;

test.each<[string[], string, string[]]>([
  [[], "generate", []],
  [["--spec", "x"], "generate", ["--spec", "x"]],
  [["generate", "--spec", "x"], "generate", ["--spec", "x"]],
  [["list"], "list", []],
  [["overrides", "check", "x"], "overrides check", ["x"]],
  [["overrides", "x"], "overrides", ["x"]],
])("%j leads to %s", (args, name, rest) => {
  const found = chooseCommand(args, rows as never);
  expect([found.row.name, found.rest]).toEqual([name, rest]);
});

test("an unknown command is an error with a suggestion", () => {
  expect(() => chooseCommand(["lst"], rows as never)).toThrow(UsageError);
  expect(() => chooseCommand(["lst"], rows as never)).toThrow(/mean list\?/);
});

const frame = {
  usage: "gen",
  summary: "Does it.",
  version: "1.2.3",
  others: rows.slice(1),
};

test("--help lists the other commands", () => {
  const parsed = parseArguments(["--help"], {}, command, frame);
  const text = "text" in parsed ? parsed.text : "";
  expect(text).toContain("Commands:\n  list             Does list.\n");
  expect(text).toContain("  overrides check  Does overrides check.\n");
  expect(text).toContain("More help.");
});

test("values are returned by property name; a list collects all occurrences", () => {
  const args = ["--spec", "a", "b", "--dry-run", "--spec", "c"];
  expect(parseArguments(args, {}, command, frame)).toEqual({
    values: { spec: ["a", "b", "c"], dryRun: true },
  });
});

test("an option of the command line replaces a conflicting one of the environment", () => {
  const options = [
    { name: "spec", kind: "list", description: "what" },
    { name: "config", kind: "text", excludes: "spec", description: "which" },
  ] as const;
  const parse = (args: string[], env: NodeJS.ProcessEnv): unknown =>
    parseArguments(args, env, { ...command, options }, frame);
  expect(parse(["--spec", "a"], { GEN_CONFIG: "b" })).toEqual({
    values: { spec: ["a"] },
  });
  expect(parse(["--config", "b"], { GEN_SPEC: "a" })).toEqual({
    values: { config: "b" },
  });
  for (const [args, env] of [
    [["--spec", "a", "--config", "b"], {}],
    [[], { GEN_SPEC: "a", GEN_CONFIG: "b" }],
  ] as const)
    expect(() => parse([...args], env)).toThrow(
      "--spec and --config can't be used together",
    );
});

test("a layered command gets values without defaults and checks required options itself", () => {
  const layered = { ...command, isLayered: true };
  expect(parseArguments([], {}, layered, frame)).toEqual({ values: {} });
  expect(() => parseArguments([], {}, command, frame)).toThrow(
    "required option '--spec <value>' is missing",
  );
});
