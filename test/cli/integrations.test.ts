import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { commands } from "../../src/cli/commands/index.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { write } from "./support.js";

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly jobs?: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const read = (name: string): string =>
  readFileSync(path.join(ROOT, name), "utf8");
const page = read("docs/integrations.md");

/** Returns the examples of the page in a language. */
function examples(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm");
  return [...page.matchAll(fence)].map(([, text]) => text!);
}

const workflows = ["docs/integrations.md", "docs/validate.md"]
  .flatMap((name) => [...read(name).matchAll(/^```yaml\n([^]*?)^```/gm)])
  .map(([, text]) => parse(text!) as Workflow | readonly Step[]);
const action = parse(read("action.yml")) as {
  readonly runs: { readonly steps: readonly [Step] };
};
const steps: readonly Step[] = [
  ...workflows.flatMap((one) =>
    "jobs" in one
      ? Object.values(one.jobs!).flatMap((job) => job.steps)
      : Array.isArray(one)
        ? (one as readonly Step[])
        : [],
  ),
  ...action.runs.steps,
];

test("actions are pinned to commits, and scripts contain no expressions", () => {
  const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
  expect(used.length).toBeGreaterThan(4);
  for (const name of used) expect(name).toMatch(/@(?:[0-9a-f]{40}|<commit>)$/);
  const scripts = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  expect(scripts.length).toBeGreaterThan(6);
  for (const script of scripts) expect(script).not.toContain("${{");
});

test("examples of the page parse", () => {
  for (const text of [...examples("ts"), ...examples("js")])
    expect(() => transformSync(text, { loader: "ts" })).not.toThrow();
  for (const text of examples("json"))
    expect(() => JSON.parse(text) as unknown).not.toThrow();
});

test("hooks run commands that exist", () => {
  const hooks = parse(read(".pre-commit-hooks.yaml")) as readonly {
    readonly id: string;
    readonly entry: string;
    readonly files: string;
  }[];
  expect(hooks.map(({ id }) => id)).toEqual(["gen-check", "gen-validate"]);
  const names = commands.map(({ name }) => name);
  for (const { entry, files } of hooks) {
    const [command, word = ""] = entry.split(" ");
    expect(command).toBe("gen");
    expect(word.startsWith("--") || names.includes(word)).toBe(true);
    expect(new RegExp(files).test("api/specs/drive.v3.json")).toBe(true);
    expect(new RegExp(files).test("src/main.ts")).toBe(false);
  }
});

/** Writes a program that records its arguments, and runs a script with it. */
function runScript(
  script: string,
  cwd: string,
  programs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): { readonly status: number | null; readonly log: string } {
  for (const [name, text] of Object.entries(programs)) {
    write(cwd, { [`bin/${name}`]: `#!/bin/bash\n${text}\n` });
    chmodSync(path.join(cwd, "bin", name), 0o755);
  }
  // GitHub runs `shell: bash` with these options.
  const options = ["--noprofile", "--norc", "-eo", "pipefail", "-c"];
  const { status, stderr } = spawnSync("bash", [...options, script], {
    cwd,
    encoding: "utf8",
    env: {
      HOME: cwd,
      PATH: `${cwd}/bin:${process.env["PATH"]}`,
      RUNNER_TEMP: cwd,
      ...env,
    },
  });
  expect(stderr.replace(/^(?:To|From|Switched|remote:| [*+]).*\n/gm, "")).toBe(
    "",
  );
  const log = path.join(cwd, "log");
  return { status, log: existsSync(log) ? readFileSync(log, "utf8") : "" };
}

describe("the action", () => {
  const NPX = 'printf "<%s>" "$@" >> log; echo >> log; echo output; exit 3';
  const [{ run = "" }] = action.runs.steps;

  test("passes the command, the output and the exit code", () => {
    const cwd = temporaryFolder();
    const env = {
      ACTION_COMMAND: "validate specs --rule $(touch bad)=off",
      ACTION_VERSION: "",
      GITHUB_OUTPUT: path.join(cwd, "outputs"),
    };
    const { status, log } = runScript(run, cwd, { npx: NPX }, env);
    expect(status).toBe(3);
    expect(log).toBe(
      "<--no-install><discovery-codegen><validate><specs><--rule><$(touch><bad)=off>\n",
    );
    expect(existsSync(path.join(cwd, "bad"))).toBe(false);
    const outputs = readFileSync(path.join(cwd, "outputs"), "utf8");
    const [, file] = /^output=(.*)\nexit-code=3\nsummary=\n$/.exec(outputs)!;
    expect(readFileSync(file!, "utf8")).toBe("output\n");
  });

  test("installs a version", () => {
    const cwd = temporaryFolder();
    const env = {
      ACTION_COMMAND: "",
      ACTION_VERSION: "1.2.3",
      GITHUB_OUTPUT: path.join(cwd, "outputs"),
    };
    const { log } = runScript(run, cwd, { npx: NPX }, env);
    expect(log).toBe("<--yes><discovery-codegen@1.2.3>\n");
  });
});

describe("the workflow that updates descriptions", () => {
  const { run = "", env = {} } = steps.find(({ name }) =>
    name?.startsWith("Open or update"),
  )!;
  const GH =
    'printf "<%s>" "$@" >> "$RUNNER_TEMP/log"; echo >> "$RUNNER_TEMP/log"\n' +
    'if [ "$2" = list ]; then cat "$RUNNER_TEMP/open"; fi';

  /** Returns a clone with a changed file, beside its origin. */
  function clone(open: string): string {
    const cwd = temporaryFolder();
    write(cwd, { open, "summary.md": "Summary." });
    const git = (...args: string[]): void =>
      void execFileSync("git", args, { cwd, stdio: "ignore" });
    git("init", "--bare", "origin.git");
    git("clone", "origin.git", "work");
    write(cwd, { "work/specs/a.json": "1" });
    const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    git("-C", "work", "add", ".");
    git("-C", "work", ...author, "commit", "-m", "first");
    git("-C", "work", "push");
    return cwd;
  }

  function update(cwd: string): ReturnType<typeof runScript> {
    const variables = { ...env, GH_TOKEN: "" };
    return runScript(`cd work\n${run}`, cwd, { gh: GH }, variables);
  }

  test("does nothing without changes", () => {
    expect(update(clone(""))).toEqual({ status: 0, log: "" });
  });

  test("pushes a branch and creates a pull request with the summary", () => {
    const cwd = clone("");
    write(cwd, { "work/specs/a.json": "2" });
    const { status, log } = update(cwd);
    expect(status).toBe(0);
    expect(log.split("\n")[1]).toBe(
      `<pr><create><--head><update-api-descriptions><--title><Update API descriptions><--body-file><${cwd}/summary.md>`,
    );
    const branch = [
      "--git-dir=origin.git",
      "show",
      "update-api-descriptions:specs/a.json",
    ];
    expect(execFileSync("git", branch, { cwd, encoding: "utf8" })).toBe("2");
  });

  test("updates the open pull request", () => {
    const cwd = clone("7\n");
    write(cwd, { "work/specs/a.json": "2" });
    const { log } = update(cwd);
    expect(log.split("\n")[1]).toBe(
      `<pr><edit><7><--body-file><${cwd}/summary.md>`,
    );
  });
});
