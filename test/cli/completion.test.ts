import { chmodSync } from "node:fs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { atTerminal, hasTerminal } from "../support/pty.js";
import { apiOf, gen, write } from "./support.js";

/** Returns the candidates for the last word. */
function candidates(words: readonly string[], cwd: string): string[] {
  const { status, stdout, stderr } = gen(["complete", "--", ...words], { cwd });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").slice(0, -1);
}

/** Returns the candidates without descriptions. */
function wordsFor(line: string, cwd: string): string[] {
  return candidates(line.split(" "), cwd).map((text) => text.split("\t")[0]!);
}

/** Writes the script for a shell, and a program `gen`. */
function writeScript(shell: string, cwd: string): void {
  const { status, stdout } = gen(["completion", shell]);
  expect(status).toBe(0);
  const program = path.join(ROOT, "bin/gen.js");
  write(cwd, {
    script: stdout,
    "bin/gen": `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`,
  });
  chmodSync(path.join(cwd, "bin/gen"), 0o755);
}

const PROJECT = {
  "specs/demo.json": apiOf("demo"),
  "gen.config.json": {
    out: "out",
    apis: {
      "demo:v1": { source: "specs/demo.json" },
      "other:v1": { source: "https://example.com/other" },
    },
  },
};

test.each<[line: string, words: string[]]>([
  ["in", ["init", ":file"]],
  ["overrides ", ["validate", "rewrite"]],
  ["marketplace key c", ["create"]],
  ["marketplace import i", ["items"]],
  ["comp", ["completion", ":file"]],
  ["--che", ["--check"]],
  ["generate --dry", ["--dry-run"]],
  ["init --f", ["--format", "--force"]],
  ["init --check", []],
  ["init --format ", ["yaml", "json", "ts"]],
  ["--target cl", ["client"]],
  ["--target client,se", ["client,server"]],
  ["--out s", [":directory"]],
  ["--config gen", [":file"]],
  ["completion ", [":file"]],
  ["doctor --format text unknown x", []],
  ["fetch d", ["demo:v1", ":file"]],
  ["fetch demo :", ["demo:v1", ":file"]],
  ["fetch demo : v", ["demo:v1", ":file"]],
  ["--api o", ["other:v1"]],
  ["--api x", []],
  ["--include demo.things.g", ["demo.things.get"]],
])("gen %s", (line, words) => {
  const cwd = temporaryFolder();
  write(cwd, PROJECT);
  expect(wordsFor(line, cwd)).toEqual(words);
});

test("candidates have descriptions", () => {
  const cwd = temporaryFolder();
  expect(candidates(["doc"], cwd)).toEqual([
    "docs\tWrites a static site with reference documentation of APIs.",
    expect.stringMatching(/^doctor\tChecks the config/),
    ":file",
  ]);
  expect(candidates(["--trust"], cwd)).toEqual([
    expect.stringMatching(/^--trust-prose\t/),
  ]);
  expect(candidates(["overr"], cwd)).toEqual([
    "overrides\tCommands of overrides.",
    ":file",
  ]);
});

test("a project that can't be read has no names", () => {
  const cwd = temporaryFolder();
  expect(wordsFor("--api ", cwd)).toEqual([]);
  expect(wordsFor("--include ", cwd)).toEqual([]);
  write(cwd, { "gen.config.json": "{" });
  expect(wordsFor("--api ", cwd)).toEqual([]);
});

test("a config that is a program is not run", () => {
  const cwd = temporaryFolder();
  write(cwd, { "gen.config.js": "process.exit(9);" });
  expect(wordsFor("--api ", cwd)).toEqual([]);
});

test("help does not list the command of the scripts", () => {
  expect(gen(["--help"]).stdout).not.toMatch(/^ {2}complete /m);
});

test("bash completes words, paths, and names after a colon", () => {
  const cwd = path.join(temporaryFolder(), "a b");
  writeScript("bash", cwd);
  write(cwd, { ...PROJECT, "src folder/x": "", "s*": "" });
  const lines: [line: string, words: string, replies: string[]][] = [
    ["gen in", "gen in", ["init"]],
    ["gen --target client,se", "gen --target client,se", ["client,server"]],
    ["gen --out sr", "gen --out sr", ["src folder"]],
    [
      "gen --config s",
      "gen --config s",
      ["s*", "script", "specs", "src folder"],
    ],
    ["gen completion b", "gen completion b", ["bin"]],
    ["gen fetch d", "gen fetch d", ["demo:v1"]],
    ["gen fetch demo:", "gen fetch demo :", ["v1"]],
    ["gen fetch demo:v", "gen fetch demo : v", ["v1"]],
    ["gen --api x", "gen --api x", []],
  ];
  const calls = lines.map(
    ([line, words]) =>
      `COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _gen; printf '%s\\n' "\${COMPREPLY[@]-}" --end--`,
  );
  const program = ["set -eu", "PATH=$PWD/bin:$PATH", ". ./script", ...calls];
  const { stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "-c", program.join("\n")],
    { cwd, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  const replies = stdout
    .split("--end--\n")
    .map((text) => text.split("\n").filter((reply) => reply !== ""));
  expect(lines.map(([line], index) => [line, replies[index]!.sort()])).toEqual(
    lines.map(([line, , expected]) => [line, expected]),
  );
});

test.skipIf(!hasTerminal())(
  "the tab key completes in an interactive bash",
  async () => {
    const cwd = temporaryFolder();
    writeScript("bash", cwd);
    const setup = `PATH=$PWD/bin:$PATH\ngen() { printf 'RAN:%s|' "$@"; }\nPS1='ready> '\n`;
    write(cwd, { rc: `. ./script\n${setup}`, "out put/x": "" });
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

const hasFish = spawnSync("fish", ["--version"]).status === 0;

test.skipIf(!hasFish)("fish completes words and paths", () => {
  const cwd = temporaryFolder();
  writeScript("fish", cwd);
  write(cwd, { ...PROJECT, "src/x": "" });
  const lines = ["gen ini", "gen --target client,se", "gen --out sr"];
  const program = `source script; ${lines.map((line) => `complete -C '${line}'`).join("; ")}`;
  const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", program], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, PATH: `${cwd}/bin:${process.env["PATH"]}` },
  });
  expect(stderr).toBe("");
  expect(stdout.split("\n").map((text) => text.split("\t")[0])).toEqual([
    "init",
    "client,server",
    "src/",
    "",
  ]);
});

const hasZsh = spawnSync("zsh", ["--version"]).status === 0;

test.skipIf(!hasZsh)("zsh passes words and descriptions", () => {
  const cwd = temporaryFolder();
  writeScript("zsh", cwd);
  write(cwd, PROJECT);
  const program = `
compdef() { }; _files() { print -r -- "files $*"; }; _describe() { print -rl -- "\${(@P)2}"; }
. ./script
complete_line() { words=("$@"); CURRENT=$#; _gen; print -- --; }
complete_line gen ini
complete_line gen --out s
complete_line gen fetch d`;
  const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", program], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, PATH: `${cwd}/bin:${process.env["PATH"]}` },
  });
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "files ",
    "init:Writes a config file; prompts for missing settings on a terminal.",
    "--",
    "files -/",
    "--",
    "files ",
    "demo\\:v1",
    "--",
    "",
  ]);
});

test("an unknown shell is an error", () => {
  const { status, stderr } = gen(["completion", "bsh"]);
  expect(status).toBe(2);
  expect(stderr).toContain("not 'bsh' (did you mean bash?)");
});
