import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { atTerminal, hasTerminal } from "../support/pty.js";
import { apiOf, gen, write } from "./support.js";

/** Completes command lines in bash; returns the replies for each line. */
function complete(lines: readonly string[], cwd: string): string[][] {
  const { stdout: script, status } = gen(["completion", "bash"]);
  expect(status).toBe(0);
  write(cwd, { "completion.sh": script });
  const calls = lines.map(
    (line) =>
      `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _gen; printf '%s\\n' "\${COMPREPLY[@]}" --end--`,
  );
  const program = ["set -eu", "source ./completion.sh", ...calls].join("\n");
  const run = spawnSync("bash", ["--norc", "-c", program], {
    cwd,
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  return run.stdout
    .split("--end--\n")
    .slice(0, -1)
    .map((text) => text.split("\n").filter((reply) => reply !== ""));
}

test("bash completes commands, options, choices and paths", () => {
  const cwd = path.join(temporaryFolder(), "a b");
  write(cwd, { "gen.config.yaml": "", "src folder/x": "", "s*": "" });
  const lines: [line: string, replies: string[]][] = [
    ["gen in", ["init"]],
    ["gen overrides ''", ["rewrite", "validate"]],
    ["gen marketplace key c", ["create"]],
    ["gen marketplace import i", ["items"]],
    ["gen --che", ["--check"]],
    ["gen generate --dry", ["--dry-run"]],
    ["gen init --f", ["--format", "--force"]],
    ["gen init --check", []],
    ["gen init --format ''", ["yaml", "json", "ts"]],
    ["gen --target cl", ["client"]],
    ["gen --target client,se", ["client,server"]],
    ["gen --out s", ["src folder"]],
    ["gen --config gen", ["gen.config.yaml"]],
    ["gen --config 's'", ["s*", "src folder"]],
    [
      "gen completion ''",
      ["completion.sh", "gen.config.yaml", "s*", "src folder"],
    ],
    ["discovery-codegen doct", ["doctor"]],
  ];
  const replies = complete(
    lines.map(([line]) => line),
    cwd,
  );
  expect(lines.map(([line], index) => [line, replies[index]!.sort()])).toEqual(
    lines.map(([line, expected]) => [line, [...expected].sort()]),
  );
});

test("names of APIs and ids of methods are those of the project", () => {
  const cwd = temporaryFolder();
  const lines = (kind: string): string[] => {
    const { status, stdout, stderr } = gen(["completion", kind], { cwd });
    expect([status, stderr]).toEqual([0, ""]);
    return stdout.split("\n").slice(0, -1);
  };
  expect([lines("apis"), lines("methods")]).toEqual([[], []]);
  const config = (apis: object): object => ({ out: "out", apis });
  write(cwd, {
    "specs/demo.json": apiOf("demo"),
    "gen.config.json": config({
      "demo:v1": { source: "specs/demo.json" },
      "other:v1": { source: "https://example.com/other" },
    }),
  });
  expect(lines("apis")).toEqual(["demo:v1", "other:v1"]);
  expect(lines("methods")).toContain("demo.things.get");
  write(cwd, { "gen.config.json": "{" });
  expect(lines("apis")).toEqual([]);
});

test("a config that is a program is not run", () => {
  const cwd = temporaryFolder();
  write(cwd, { "gen.config.js": "process.exit(9);" });
  expect(gen(["completion", "apis"], { cwd }).status).toBe(0);
});

test("bash completes names of APIs before and after the colon", () => {
  const cwd = temporaryFolder();
  const { stdout: script } = gen(["completion", "bash"]);
  const bin = path.join(ROOT, "bin/gen.js");
  write(cwd, {
    "completion.sh": script,
    "bin/gen": `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`,
    "specs/demo.json": apiOf("demo"),
    "gen.config.json": {
      out: "out",
      apis: { "demo:v1": { source: "specs/demo.json" } },
    },
  });
  const complete = (line: string, words: string): string =>
    `COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _gen; echo "$line\${COMPREPLY[*]-}"`;
  const program = [
    "set -eu",
    "chmod +x bin/gen; PATH=$PWD/bin:$PATH; line=",
    "source ./completion.sh",
    complete("gen fetch d", "gen fetch d"),
    complete("gen fetch demo:", "gen fetch demo :"),
    complete("gen fetch demo:v", "gen fetch demo : v"),
    complete("gen --api x", "gen --api x"),
    complete("gen --include demo.things.g", "gen --include demo.things.g"),
  ];
  const { stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "-c", program.join("\n")],
    { cwd, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "demo:v1",
    "v1",
    "v1",
    "",
    "demo.things.get",
    "",
  ]);
});

test.skipIf(!hasTerminal())(
  "the tab key completes in an interactive bash",
  async () => {
    const cwd = temporaryFolder();
    const { stdout } = gen(["completion", "bash"]);
    const setup = `gen() { printf 'RAN:%s|' "$@"; }\nPS1='ready> '\n`;
    write(cwd, { rc: `${stdout}${setup}`, "out put/x": "" });
    const { PATH = "", HOME = "" } = process.env;
    const program = ["bash", "--noprofile", "--rcfile", "rc", "-i"];
    const { output } = await atTerminal(program, {
      cwd,
      env: { PATH, HOME, TERM: "dumb" },
      exchanges: [
        ["ready> ", "gen ini\t--form\tjs\t--out ou\t\n"],
        ["RAN:", ""],
        ["ready> ", "exit\n"],
      ],
    });
    expect(output).toContain(
      "RAN:init|RAN:--format|RAN:json|RAN:--out|RAN:out put/|",
    );
  },
);

test.each(["bash", "zsh", "fish"])(
  "the script for %s has every option and no text outside of quotes",
  (shell) => {
    const { status, stdout } = gen(["completion", shell]);
    expect(status).toBe(0);
    expect(stdout).toContain(
      shell === "fish" ? "-l trust-prose" : "--trust-prose",
    );
    if (shell === "bash") return;
    // Descriptions contain quotes, which must be escaped.
    const description = /starting? with|start with .Required\./.exec(stdout);
    expect(description).not.toBeNull();
    const unescaped =
      shell === "zsh"
        ? stdout.replaceAll("'\\''", "")
        : stdout.replace(/\\[\\']/g, "");
    for (const line of unescaped
      .split("\n")
      .filter((text) => !text.startsWith("#")))
      expect(line.split("'").length % 2, line).toBe(1);
  },
);

test("an unknown shell is an error", () => {
  const { status, stderr } = gen(["completion", "bsh"]);
  expect(status).toBe(2);
  expect(stderr).toContain("not 'bsh' (did you mean bash?)");
});
