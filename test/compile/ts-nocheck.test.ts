import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { NOCHECK } from "../../src/render/typescript/code.js";
import { apiOf, gen, tree, write } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";
import { typecheck } from "./typescript.js";

const RUNTIME = "out/runtime/client/method.ts";
const API = "out/demo/v1/resources/things.ts";

const PROGRAM = `import { createDemo } from "./out/demo/v1/index.js";
void createDemo().things.get({ id: 1 });
`;

/** Generates a client and adds a type error to a file of the runtime and of the API. */
function project(choice: string): string {
  const cwd = temporaryFolder();
  write(cwd, { "demo.json": apiOf("demo"), "program.ts": PROGRAM });
  const args = ["--spec", "demo.json", "--out", "out", "--ts-nocheck", choice];
  expect(gen(args, { cwd }).status).toBe(0);
  return cwd;
}

/** Returns the generated TypeScript files that are not checked. */
function unchecked(cwd: string): (name: string) => boolean {
  const text = (name: string) => readFileSync(path.join(cwd, name), "utf8");
  return (name) => text(name).split("\n").slice(0, 5).includes(NOCHECK);
}

test.each([
  { choice: "none", errors: ["program.ts", RUNTIME, API] },
  { choice: "runtime", errors: ["program.ts", API] },
  { choice: "all", errors: ["program.ts"] },
])(
  "--ts-nocheck $choice: the compiler reports errors in $errors",
  async ({ choice, errors }) => {
    const cwd = project(choice);
    const files = [...tree(cwd).keys()].filter((name) =>
      /^out\/.*\.ts$/.test(name),
    );
    const isChecked = (name: string) =>
      choice === "none" || (choice === "runtime" && !/\/runtime\//.test(name));
    expect(files.filter(unchecked(cwd))).toEqual(
      files.filter((name) => !isChecked(name)),
    );
    for (const name of [RUNTIME, API])
      appendFileSync(path.join(cwd, name), 'export const n: number = "";\n');
    const output = await typecheck(cwd, "7", "DOM", ["program.ts"]);
    const found = [...output.matchAll(/^(\S+?)(?:\(|:)\d+.*error TS/gm)];
    expect(found.map(([, name]) => name).sort()).toEqual([...errors].sort());
  },
  30_000,
);
