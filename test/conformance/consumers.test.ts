// Programs that use a generated client, built and run by the tools that people
// have. The table of docs/imports.md is made of the rows below.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { write } from "../cli/support.js";
import { ROOT } from "../support/paths.js";
import { SUFFIXES, TOOLS, PACKAGES, type Suffix } from "./consumers.js";

/** Folder with the installed tools. */
let tools = "";
const folders: string[] = [];

beforeAll(() => {
  tools = mkdtempSync(path.join(tmpdir(), "gen-tools-"));
  folders.push(tools);
  write(tools, { "package.json": { private: true } });
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, ...PACKAGES], {
    cwd: tools,
    stdio: "inherit",
  });
}, 600_000);

afterAll(() => {
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true });
});

const DOCUMENT = {
  kind: "discovery#restDescription",
  id: "demo:v1",
  name: "demo",
  version: "v1",
  rootUrl: "https://demo.example.com/",
  servicePath: "demo/v1/",
  schemas: {
    File: {
      id: "File",
      type: "object",
      properties: { name: { type: "string" } },
    },
  },
  resources: {
    files: {
      methods: {
        get: {
          id: "demo.files.get",
          path: "files/{fileId}",
          httpMethod: "GET",
          parameterOrder: ["fileId"],
          parameters: {
            fileId: { type: "string", required: true, location: "path" },
          },
          response: { $ref: "File" },
        },
      },
    },
  },
};

const MAIN = `
  const demo = createDemo({ fetch: async () => Response.json({ name: "it works" }) });
  const file = await demo.files.get({ fileId: "a" });
  export const result: string | undefined = file.name;
`;

/** A project with a client, in a folder that sees the tools. */
function project(
  suffix: Suffix,
  files: Readonly<Record<string, string | object>>,
): string {
  const cwd = mkdtempSync(path.join(tools, "project-"));
  const end = suffix === "none" ? "" : `.${suffix}`;
  const from = `./generated/demo/v1/index${end}`;
  write(cwd, {
    "demo.json": DOCUMENT,
    "package.json": { private: true, type: "module" },
    "src/main.ts": `import { createDemo } from "${from}";\n${MAIN}`,
    ...files,
  });
  const gen = path.join(ROOT, "bin/gen.js");
  const args = [
    "--spec",
    "demo.json",
    "--out",
    "src/generated",
    "--import-suffix",
    suffix,
  ];
  execFileSync(process.execPath, [gen, ...args], { cwd, stdio: "pipe" });
  return cwd;
}

describe.each(TOOLS)("$name", ({ works, files, commands }) => {
  it.each(SUFFIXES.filter((suffix) => works.includes(suffix)))(
    "runs a client whose imports end with %s",
    (suffix) => {
      const cwd = project(suffix, files(suffix));
      let output = "";
      for (const [program, ...args] of commands(suffix))
        output = execFileSync(program!, args, {
          cwd,
          encoding: "utf8",
          stdio: "pipe",
          env: {
            ...process.env,
            PATH: `${path.join(tools, "node_modules/.bin")}:${process.env["PATH"]}`,
            NEXT_TELEMETRY_DISABLED: "1",
          },
        });
      expect(output).toContain("it works");
    },
  );
});

it("docs/imports.md has a row for each tool with the tested result", () => {
  const text = readFileSync(path.join(ROOT, "docs/imports.md"), "utf8");
  for (const { name, works } of TOOLS) {
    const row = text.split("\n").find((line) => line.startsWith(`| ${name} `));
    const cells = row
      ?.split("|")
      .slice(2, 5)
      .map((cell) => cell.trim());
    const expected = SUFFIXES.map((suffix) =>
      works.includes(suffix) ? "yes" : "no",
    );
    expect(cells, name).toEqual(expected);
  }
});
