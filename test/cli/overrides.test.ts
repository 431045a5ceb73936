import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { VALID_12, VALID_13 } from "../support/overrides.js";
import { temporaryFolder } from "../support/paths.js";
import { gen, write } from "./support.js";

function folderWith(files: Readonly<Record<string, string>>): string {
  const cwd = temporaryFolder();
  write(cwd, files);
  return cwd;
}

describe("overrides validate", () => {
  const cwd = () =>
    folderWith({
      "good.yaml": VALID_13,
      "doubtful.yaml": `${VALID_13}hub: example.com\n`,
      "bad.yaml": `${VALID_13}runtim: {}\n`,
    });

  test.each([
    ["good", ["good.yaml", "--mode", "demo"], 0],
    ["good with --strict", ["good.yaml", "--mode", "demo", "--strict"], 0],
    ["without a mode, production is a warning", ["good.yaml"], 0],
    [
      "without a mode, --strict ignores production warnings",
      ["good.yaml", "--strict"],
      0,
    ],
    ["production", ["good.yaml", "--mode", "prod"], 2],
    ["doubtful", ["doubtful.yaml", "--mode", "demo"], 0],
    [
      "doubtful with --strict",
      ["doubtful.yaml", "--mode", "demo", "--strict"],
      1,
    ],
    ["bad", ["bad.yaml", "good.yaml"], 2],
    ["for another version", ["good.yaml", "--target", "1.2"], 2],
    [
      "no seed host during an installation",
      ["good.yaml", "--phase", "install"],
      2,
    ],
    ["after the upgrade", ["good.yaml", "--phase", "final"], 0],
    ["missing files", ["good.yaml", "--check-paths"], 2],
    ["no file", ["good.yaml", "none.yaml"], 3],
    ["a folder", ["."], 3],
    ["no operand", [], 2],
    ["another option", ["good.yaml", "--modus", "prod"], 2],
  ])("%s: exit code", (_, args, status) => {
    const ended = gen(["overrides", "validate", ...args], { cwd: cwd() });
    expect(ended).toMatchObject({ status });
  });

  test("text: the version, then the line with a caret", () => {
    const { stdout } = gen(
      ["overrides", "validate", "bad.yaml", "--mode", "demo"],
      {
        cwd: cwd(),
      },
    );
    expect(stdout)
      .toBe(`bad.yaml: detected version 1.3 (instanceID: introduced in 1.3)
bad.yaml:26:1: error T01: "runtim" is not a key of an overrides file
  26 | runtim: {}
     | ^^^^^^
    did you mean "runtime"?
bad.yaml: invalid, 1 error
`);
  });

  test("JSON: an object for each file, in an array", () => {
    const { stdout } = gen(
      [
        "overrides",
        "validate",
        "bad.yaml",
        "none.yaml",
        "--mode",
        "demo",
        "--format",
        "json",
      ],
      { cwd: cwd() },
    );
    expect(JSON.parse(stdout)).toEqual([
      {
        file: "bad.yaml",
        detectedVersion: "1.3",
        diagnostics: [
          {
            code: "T01",
            severity: "error",
            line: 26,
            column: 1,
            path: "runtim",
            message: '"runtim" is not a key of an overrides file',
            suggestion: 'did you mean "runtime"?',
          },
        ],
        valid: false,
      },
      {
        file: "none.yaml",
        detectedVersion: "unknown",
        diagnostics: [
          {
            code: "S00",
            severity: "error",
            line: 1,
            column: 1,
            path: "",
            message: "ENOENT: no such file or directory",
            suggestion: "check the name and the permissions of the file",
          },
        ],
        valid: false,
      },
    ]);
  });

  test("SARIF and GitHub", () => {
    const args = [
      "overrides",
      "validate",
      "bad.yaml",
      "--mode",
      "demo",
      "--format",
    ];
    const sarif = JSON.parse(
      gen([...args, "sarif"], { cwd: cwd() }).stdout,
    ) as {
      runs: {
        results: { ruleId: string; ruleIndex: number; locations: unknown }[];
        tool: { driver: { rules: { id: string }[] } };
      }[];
    };
    const [run] = sarif.runs;
    expect(run!.results).toHaveLength(1);
    const [result] = run!.results;
    expect(run!.tool.driver.rules[result!.ruleIndex]!.id).toBe("T01");
    expect(result!.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: "bad.yaml" },
          region: { startLine: 26, startColumn: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: "runtim" }],
      },
    ]);
    expect(gen([...args, "github"], { cwd: cwd() }).stdout).toBe(
      '::error file=bad.yaml,line=26,col=1,title=T01::"runtim" is not a key of an overrides file. did you mean "runtime"?\n',
    );
  });

  test("standard input, and existing files", () => {
    const folder = folderWith({});
    for (const [, file] of VALID_13.matchAll(/: (\.\/\S+)$/gm))
      write(folder, { [file!]: "x" });
    const ended = gen(
      [
        "overrides",
        "validate",
        "-",
        "--mode",
        "demo",
        "--strict",
        "--check-paths",
      ],
      { cwd: folder, input: VALID_13 },
    );
    expect(ended).toMatchObject({ status: 0 });
  });

  test("options from environment variables", () => {
    const folder = cwd();
    const env = {
      GEN_TARGET: "client",
      GEN_OVERRIDES_MODE: "demo",
      GEN_OVERRIDES_STRICT: "1",
    };
    expect(
      gen(["overrides", "validate", "good.yaml"], { cwd: folder, env }).status,
    ).toBe(0);
    const wrong = { GEN_OVERRIDES_MODE: "test" };
    const { status, stderr } = gen(["overrides", "validate", "good.yaml"], {
      cwd: folder,
      env: wrong,
    });
    expect(stderr).toContain("GEN_OVERRIDES_MODE must be one of prod, demo");
    expect(status).toBe(2);
  });

  test("a missing subcommand lists the available ones", () => {
    const { stderr, status } = gen(["overrides"]);
    expect(stderr).toContain(
      "'overrides' requires a subcommand; expected one of: overrides validate, overrides rewrite",
    );
    expect(status).toBe(2);
  });
});

describe("overrides rewrite", () => {
  test("writes the file to standard output and the report to standard error", () => {
    const cwd = folderWith({ "o.yaml": VALID_12 });
    const { status, stdout, stderr } = gen(
      ["overrides", "rewrite", "o.yaml", "--envgroup", "default=group"],
      { cwd },
    );
    expect(status).toBe(0);
    expect(stdout).toContain("- name: group\n");
    expect(stderr).toContain("o.yaml: rewritten from 1.2 to 1.3.6");
    expect(readdirSync(cwd)).toEqual(["o.yaml"]);
    expect(readFileSync(path.join(cwd, "o.yaml"), "utf8")).toBe(VALID_12);
  });

  test("in place: follows a link, keeps the file mode, saves the old file once", () => {
    const cwd = folderWith({ "real/o.yaml": VALID_12 });
    chmodSync(path.join(cwd, "real/o.yaml"), 0o640);
    symlinkSync("real/o.yaml", path.join(cwd, "o.yaml"));
    const args = [
      "overrides",
      "rewrite",
      "--in-place",
      "o.yaml",
      "--report",
      "json",
    ];
    const first = gen(args, { cwd });
    expect(first.status).toBe(0);
    expect(first.stderr).toContain("o.yaml is a symbolic link; writing to ");
    expect(JSON.parse(first.stdout)).toMatchObject({
      from: "1.2",
      to: "1.3.6",
      refusals: [],
    });
    expect(lstatSync(path.join(cwd, "o.yaml")).isSymbolicLink()).toBe(true);
    expect(statSync(path.join(cwd, "real/o.yaml")).mode & 0o777).toBe(0o640);
    expect(readFileSync(path.join(cwd, "real/o.yaml.bak"), "utf8")).toBe(
      VALID_12,
    );
    const { ino } = statSync(path.join(cwd, "real/o.yaml"));
    expect(gen(args, { cwd }).status).toBe(0);
    expect(statSync(path.join(cwd, "real/o.yaml")).ino).toBe(ino);
    expect(readdirSync(path.join(cwd, "real"))).toEqual([
      "o.yaml",
      "o.yaml.bak",
    ]);
    expect(
      gen(["overrides", "validate", "o.yaml", "--mode", "demo"], { cwd })
        .status,
    ).toBe(0);
  });

  test.each(["--in-place", "--out"])(
    "%s through a link that leads out of the folder is refused",
    (option) => {
      const home = folderWith({ "secret.yaml": VALID_12 });
      const cwd = folderWith({ "o.yaml": VALID_12 });
      symlinkSync(path.join(home, "secret.yaml"), path.join(cwd, "link.yaml"));
      symlinkSync(home, path.join(cwd, "folder"));
      for (const file of ["link.yaml", "folder/secret.yaml"]) {
        const args =
          option === "--out" ? ["o.yaml", "--out", file] : [option, file];
        const { status, stderr } = gen(["overrides", "rewrite", ...args], {
          cwd,
        });
        expect(stderr).toContain(`${file} is a symbolic link to `);
        expect(status).toBe(2);
      }
      expect(readdirSync(home)).toEqual(["secret.yaml"]);
      expect(readFileSync(path.join(home, "secret.yaml"), "utf8")).toBe(
        VALID_12,
      );
    },
  );

  test("broken links, pipes and folders are rejected with a message", () => {
    const cwd = folderWith({ "o.yaml": VALID_12, "folder/x": "" });
    symlinkSync("nowhere", path.join(cwd, "link.yaml"));
    spawnSync("mkfifo", [path.join(cwd, "pipe")]);
    for (const [out, message] of [
      ["link.yaml", "is a symbolic link to a file that does not exist"],
      ["pipe", "must be a regular file"],
      ["folder", "must be a regular file"],
    ] as const) {
      const { status, stderr } = gen(
        ["overrides", "rewrite", "o.yaml", "--out", out],
        { cwd },
      );
      expect(stderr).toContain(`${out} ${message}`);
      expect(status).toBe(2);
    }
    expect(readdirSync(cwd).sort()).toEqual([
      "folder",
      "link.yaml",
      "o.yaml",
      "pipe",
    ]);
  });

  test("--diff masks secrets and reports that it is not a patch", () => {
    const secret = "hunter2horse";
    const cwd = folderWith({
      "o.yaml": VALID_12.replace(
        "\ningress:",
        `\nhttpProxy:\n  host: h\n  port: 1\n  password: ${secret} # old\n\ningress:`,
      ),
    });
    const { status, stdout, stderr } = gen(
      ["overrides", "rewrite", "o.yaml", "--diff"],
      { cwd },
    );
    expect(status).toBe(0);
    expect(stdout).not.toContain(secret);
    expect(stdout).toContain("   password: *** # old\n");
    expect(stderr).toContain("secrets are masked in 1 line");
  });

  test("writes to another file, and saves an existing one", () => {
    const cwd = folderWith({ "o.yaml": VALID_12 });
    mkdirSync(path.join(cwd, "new"));
    const args = ["overrides", "rewrite", "o.yaml", "--out", "new/o.yaml"];
    expect(gen(args, { cwd }).status).toBe(0);
    expect(gen(args, { cwd }).status).toBe(0);
    expect(readdirSync(path.join(cwd, "new"))).toEqual([
      "o.yaml",
      "o.yaml.bak",
    ]);
    const failed = gen(
      ["overrides", "rewrite", "o.yaml", "--out", "none/o.yaml"],
      { cwd },
    );
    expect(failed.status).toBe(2);
    expect(existsSync(path.join(cwd, "none"))).toBe(false);
  });

  test("--check and --diff write nothing", () => {
    const cwd = folderWith({ "o.yaml": VALID_12, "new.yaml": VALID_13 });
    const run = (...args: string[]) =>
      gen(["overrides", "rewrite", ...args], { cwd });
    expect(run("o.yaml", "--check").status).toBe(1);
    expect(run("new.yaml", "--check").status).toBe(0);
    const { stdout, status } = run("o.yaml", "--diff");
    expect(status).toBe(0);
    expect(stdout).toContain("--- a/o.yaml\n+++ b/o.yaml\n@@ -1,");
    expect(stdout).toContain(
      "\n-gcpProjectID: project-one # the only project\n",
    );
    expect(run("new.yaml", "--diff").stdout).toBe("");
    expect(readFileSync(path.join(cwd, "o.yaml"), "utf8")).toBe(VALID_12);
  });

  test.each([
    ["a rejected file", ["bad.yaml"], 2, "upgrade to version 1.2 first"],
    ["no file", ["none.yaml"], 3, "ENOENT"],
    [
      "both ways out",
      ["o.yaml", "--in-place", "--out", "x"],
      2,
      "can't be used together",
    ],
    ["standard input in place", ["-", "--in-place"], 2, "requires a file"],
    ["an incomplete pair", ["o.yaml", "--envgroup", "a"], 2, "OLD=NEW"],
  ])("%s", (_, args, status, message) => {
    const cwd = folderWith({
      "o.yaml": VALID_12,
      "bad.yaml": "org: a\nenvs:\n  - name: e\n    hostAlias: h\n",
    });
    const ended = gen(["overrides", "rewrite", ...args], { cwd });
    expect(ended.stderr).toContain(message);
    expect(ended.status).toBe(status);
  });

  test("Markdown has task lists", () => {
    const cwd = folderWith({ "o.yaml": VALID_12 });
    const { stdout } = gen(
      ["overrides", "rewrite", "o.yaml", "--in-place", "--report", "markdown"],
      { cwd },
    );
    expect(stdout).toContain(
      "- [ ] attach the environment test to the environment group default",
    );
  });
});

describe("upgrade tool", () => {
  test.each([
    [["apply", "-f", "o.yaml", "--env", "test"], 0, ""],
    [
      [
        "apigeectl",
        "init",
        "--file-override-config=o.yaml",
        "--dry-run=client",
      ],
      0,
      "",
    ],
    [["aply", "-f", "o.yaml"], 2, "did you mean apply?"],
    [["apply"], 2, "apply requires -f"],
    [
      ["apply", "-f", "o.yaml", "--dry-run"],
      2,
      "=true for kubectl up to 1.17, =client",
    ],
    [
      ["apply", "-f", "o.yaml", "--dry-run=server"],
      2,
      "must be true or client",
    ],
    [
      ["apply", "-f", "o.yaml", "--env", "a", "--all-envs"],
      2,
      "can't be used together",
    ],
    [["check-ready", "-f", "o.yaml", "--org"], 2, "has no flag --org"],
    [["delete", "-f", "o.yaml"], 2, "would remove everything"],
    [["delete", "-f", "o.yaml", "-s", "virtualhosts"], 0, ""],
    [
      ["delete", "-f", "o.yaml", "-s", "hosts"],
      2,
      "must be one of virtualhost, virtualhosts",
    ],
    [
      ["delete", "-f", "o.yaml", "-c", "mart"],
      2,
      "removed after 1.2; use the old apigeectl, with --tool-version 1.2 here",
    ],
  ])("%s", (words, status, message) => {
    const ended = gen(["upgrade", "tool", "--", ...words]);
    expect(ended.stderr).toContain(message);
    expect(ended.status).toBe(status);
  });

  test("checks the old tool, the version of kubectl and the environments", () => {
    const cwd = folderWith({ "o.yaml": VALID_13 });
    const run = (...args: string[]) =>
      gen(["upgrade", "tool", ...args], { cwd });
    const old = ["--tool-version", "1.2", "--", "delete", "-f", "o.yaml", "-c"];
    expect(run(...old, "mart,udca").status).toBe(0);
    expect(run(...old, "mart,ucda").stderr).toContain(', found "ucda"');
    const dry = ["--", "apply", "-f", "o.yaml", "--dry-run=true"];
    expect(run("--kubectl", "1.17", ...dry).status).toBe(0);
    expect(run("--kubectl", "v1.18.2", ...dry).stderr).toContain(
      "must be client for this version of kubectl, found true",
    );
    const other = run(
      "--overrides",
      "o.yaml",
      "--",
      "apply",
      "-f",
      "o.yaml",
      "--env",
      "tset",
    );
    expect(other.stderr).toContain(
      "no such environment; its environments are test",
    );
  });
});
