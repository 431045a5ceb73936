// Steps of the weekly workflow (docs/integrations.md) and of the action, run by bash
// with Git and a server, as GitHub runs them.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { apiDirectory } from "../support/api-directory.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, write } from "./support.js";

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const page = readFileSync(path.join(ROOT, "docs/integrations.md"), "utf8");
const workflow = parse(
  [...page.matchAll(/^```yaml\n([^]*?)^```/gm)]
    .map(([, text]) => text!)
    .find((text) => text.startsWith("name: update API descriptions"))!,
) as {
  readonly jobs: { readonly update: { readonly steps: readonly Step[] } };
};
const action = parse(readFileSync(path.join(ROOT, "action.yml"), "utf8")) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};

/** Steps of the workflow after the installation. */
const weekly = workflow.jobs.update.steps.filter(
  ({ run = "npm ci" }) => run !== "npm ci",
);

function dated(
  name: string,
  revision: string,
  description = "Old.",
): Record<string, unknown> {
  const document = apiOf(name, "v1", revision);
  const { Thing } = document["schemas"] as { Thing: object };
  return {
    ...document,
    revision,
    schemas: { Thing: { ...Thing, description } },
  };
}

const PATCH = `api: patched:v1
operations:
  - describe: schemas.Thing
    value: Adopted.
`;

const NAMES = ["flaky", "gone", "good", "older", "patched"];

/**
 * Clone of a project beside its origin: upstream, one API is gone, one older, one
 * fails, one has adopted a patch, and one has a new revision.
 */
async function project(): Promise<string> {
  const directory = await apiDirectory(
    Object.fromEntries(
      NAMES.map((name) => [`${name}:v1`, dated(name, "20240101")]),
    ),
  );
  const cwd = temporaryFolder();
  write(cwd, {
    "bin/npx": `#!/bin/bash\nwhile [ "$1" != gen ] && [ "$1" != discovery-codegen ]; do shift; done\nshift\nexec "${process.execPath}" "${ROOT}/bin/gen.js" "$@"\n`,
    "bin/gh": `#!/bin/bash\nif [ "$2" = list ]; then exit 0; fi\nprintf '<%s>' "$@" >> "$RUNNER_TEMP/log"; echo >> "$RUNNER_TEMP/log"\ncp "\${@: -1}" "$RUNNER_TEMP/body-$(git branch --show-current).md"\n`,
    "work/patches/patched.yaml": PATCH,
    "work/gen.config.yaml": [
      "out: generated",
      `directory: ${directory.origin}`,
      "allowHttp: true",
      "allowPrivate: true",
      "apis:",
      ...NAMES.map(
        (name) =>
          `  ${name}:v1: ${name === "patched" ? "{ patches: patches/patched.yaml }" : "{}"}`,
      ),
      "",
    ].join("\n"),
  });
  for (const name of ["npx", "gh"])
    chmodSync(path.join(cwd, "bin", name), 0o755);
  expect(await bash(["npx gen"], cwd)).toBe(0);
  const git = (...args: string[]): void =>
    void execFileSync("git", args, { cwd, stdio: "ignore" });
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  git("init", "--bare", "--initial-branch=main", "origin.git");
  git("init", "--initial-branch=main", "work");
  git("-C", "work", "remote", "add", "origin", path.join(cwd, "origin.git"));
  git("-C", "work", "add", ".");
  git("-C", "work", ...author, "commit", "-m", "first");
  git("-C", "work", "push", "origin", "main");
  const { documents } = directory;
  documents.set("flaky:v1", null);
  documents.delete("gone:v1");
  documents.set("good:v1", dated("good", "20240202"));
  documents.set("older:v1", dated("older", "20230101"));
  documents.set("patched:v1", dated("patched", "20240202", "Adopted."));
  return cwd;
}

/** Runs scripts one after the other, as GitHub does; returns the exit code. */
async function bash(
  scripts: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  const { HOME = "", PATH = "", XDG_CACHE_HOME = "" } = process.env;
  for (const script of scripts) {
    const options = ["--noprofile", "--norc", "-eo", "pipefail", "-c"];
    const child = spawn("bash", [...options, script], {
      cwd: path.join(cwd, "work"),
      stdio: "ignore",
      env: {
        HOME,
        XDG_CACHE_HOME,
        PATH: `${cwd}/bin:${PATH}`,
        RUNNER_TEMP: cwd,
        GITHUB_OUTPUT: path.join(cwd, "outputs"),
        GITHUB_STEP_SUMMARY: path.join(cwd, "steps.md"),
        GH_TOKEN: "",
        ...env,
      },
    });
    const status = await new Promise<number | null>((resolve) =>
      child.on("close", resolve),
    );
    if (status !== 0) return status;
  }
  return 0;
}

const read = (cwd: string, name: string): string =>
  readFileSync(path.join(cwd, name), "utf8");

/** Returns the names of the files that a branch of the origin changes. */
function changed(cwd: string, branch: string): readonly string[] {
  const range = ["diff", "--name-only", `main`, branch];
  return execFileSync("git", ["--git-dir=origin.git", ...range], {
    cwd,
    encoding: "utf8",
  })
    .trim()
    .split("\n");
}

/** Checks the pull request for all APIs. */
function expectOne(cwd: string): void {
  expect(read(cwd, "log")).toMatch(
    /^<pr><create><--head><update-api-descriptions><--title><Update API descriptions><--body-file><[^>]*>\n$/,
  );
  const files = changed(cwd, "update-api-descriptions");
  for (const file of [
    "gen.lock.json",
    "generated/good/v1/schemas.ts",
    "patches/patched.yaml",
    "specs/good.v1.json",
    "specs/patched.v1.json",
  ])
    expect(files).toContain(file);
  expect(files.join("\n")).not.toMatch(/flaky|gone|older|\.next/);
  const body = read(cwd, "body-update-api-descriptions.md");
  expect(body).toContain("2 APIs updated, 0 unchanged, 3 kept.");
  for (const row of [
    "| `flaky:v1` | 20240101 → none | kept: unreachable |",
    "| `gone:v1` | 20240101 → none | kept: gone |",
    "| `good:v1` | 20240101 → 20240202 | updated |",
    "| `older:v1` | 20240101 → 20230101 | kept: older |",
    "| `patched:v1` | 20240101 → 20240202 | updated |",
    "- `patches/patched.yaml: describe schemas.Thing`",
  ])
    expect(body).toContain(row);
  expect(read(cwd, "steps.md")).toBe(body);
}

test("the weekly workflow opens a pull request, with the kept APIs in its text", async () => {
  const cwd = await project();
  const scripts = weekly.map(({ run = "" }) => run);
  expect(scripts).toHaveLength(2);
  const { BRANCH = "" } = weekly[1]!.env!;
  expect(await bash(scripts, cwd, { BRANCH })).toBe(0);
  expectOne(cwd);
});

/** Runs the steps of the action with the defaults of its inputs. */
function runAction(
  cwd: string,
  inputs: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  const value = (name: string): string =>
    inputs[name] ?? action.inputs[name]!.default;
  return bash(
    action.runs.steps.map(({ run = "" }) => run),
    cwd,
    {
      ACTION_COMMAND: value("command"),
      ACTION_PULL_REQUEST: value("pull-request"),
      ACTION_BRANCH: value("branch"),
      ACTION_VERSION: value("version"),
      ACTION_PATH: ROOT,
    },
  );
}

test("the action opens one pull request", async () => {
  const cwd = await project();
  expect(await runAction(cwd)).toBe(0);
  expectOne(cwd);
});

test("the action opens a pull request for each API", async () => {
  const cwd = await project();
  expect(await runAction(cwd, { "pull-request": "each" })).toBe(0);
  const branches = [
    "update-api-descriptions-good-v1",
    "update-api-descriptions-patched-v1",
  ];
  expect(read(cwd, "log").match(/<--title><[^>]*>/g)).toEqual([
    "<--title><Update good:v1>",
    "<--title><Update patched:v1>",
  ]);
  for (const [index, branch] of branches.entries()) {
    const files = changed(cwd, branch).join("\n");
    expect(files).toMatch(index === 0 ? /good/ : /patched/);
    expect(files).not.toMatch(index === 0 ? /patched/ : /good/);
    expect(read(cwd, `body-${branch}.md`)).toContain("1 API updated");
  }
  // The summary of the step has the kept APIs.
  for (const name of ["flaky", "gone", "older"])
    expect(read(cwd, "steps.md")).toContain(`| \`${name}:v1\` | 20240101`);
});

test("a reason that fails stops the action before the pull request", async () => {
  const cwd = await project();
  const config = read(cwd, "work/gen.config.yaml");
  write(cwd, { "work/gen.config.yaml": `${config}update: { gone: fail }\n` });
  expect(await runAction(cwd)).toBe(3);
  expect(existsSync(path.join(cwd, "log"))).toBe(false);
  expect(read(cwd, "outputs")).toContain("exit-code=3");
});
